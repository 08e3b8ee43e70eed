import type {
  AgentInputItem,
  CallModelInputFilter,
  Tool,
  ToolCallOutputContent,
  ToolInputGuardrailDefinition,
  ToolOutputFileContent,
  ToolOutputImage,
} from "@openai/agents";
import type {
  CallChecks,
  InvokedSkill,
  OperationResult,
  PeerVersions,
  ResultFile,
  TurnOptions,
  TurnShape,
} from "../adapter/index.ts";
import {
  ADAPTER_OPTIONS,
  checkCall,
  contentText,
  fileName,
  isDocumentType,
  isImageType,
  loadPeer,
  mayRestrict,
  type OptionTable,
  openNativeTurn,
  replaceContent,
  toBase64,
  toDataUrl,
  toModelTools,
} from "../adapter/index.ts";
import { type Tool as HostTool, type Session, SkillError } from "../index.ts";

const VERSIONS: PeerVersions = { name: "@openai/agents", range: ">=0.14.0 <1", install: "0.20" };

/** What skills change: settings of an `Agent`, and the input of `run`. */
export interface AgentSkillsRequest {
  /** Your system prompt. The catalog is appended to it. */
  readonly instructions?: string;
  /**
   * Your own tools of the Agents SDK.
   * @default []
   */
  readonly tools?: readonly Tool[];
  /** The conversation, with the user's new message last. A string is one user message. */
  readonly input: string | readonly AgentInputItem[];
}

export interface AgentSkillsOptions extends Omit<TurnOptions, "taken" | "rules"> {
  readonly session: Session;
  readonly request: AgentSkillsRequest;
  /**
   * Your own tools, from `defineTool`.
   * @default []
   */
  readonly tools?: readonly HostTool[];
  /**
   * Sends binary files and data that the model reads as files. Set it to `false` for models without vision, and for the
   * SDK's Chat Completions model, which takes only text from tools.
   * @default true
   */
  readonly files?: boolean;
}

/** `instructions` and `tools` for an `Agent`, and `input` and `callModelInputFilter` for `run`. */
export interface AgentSkills {
  /**
   * Your instructions with the catalog. Absent if the request has none: `callModelInputFilter` then appends the catalog to
   * the instructions of the agent.
   */
  readonly instructions?: string;
  readonly tools: Tool[];
  readonly input: AgentInputItem[];
  /** Appends the catalog to the agent's instructions, and keeps a skill's instructions from being sent twice. */
  readonly callModelInputFilter: CallModelInputFilter;
  /** The skills that the last message invoked. */
  readonly invoked: readonly InvokedSkill[];
}

/**
 * Adds the session's skills to an agent of the OpenAI Agents SDK. Create a new `Agent` for each turn.
 *
 * @example
 * ```ts
 * import { Agent, run } from "@openai/agents";
 * import { createSkillset } from "skillset";
 * import { withSkills } from "skillset/openai-agents";
 *
 * const skills = await createSkillset(["./skills"]);
 * const session = await skills.session();
 * const { input, callModelInputFilter, ...settings } = await withSkills({
 *   session,
 *   request: { input: "Fill in the form." },
 * });
 * const agent = new Agent({ name: "helper", instructions: "You help with forms.", ...settings });
 * const { finalOutput } = await run(agent, input, { callModelInputFilter });
 * ```
 */
export async function withSkills(call: AgentSkillsOptions): Promise<AgentSkills> {
  checkCall("withSkills", call, ["session", "request"], CHECKS);
  if (call.request.instructions !== undefined && typeof call.request.instructions !== "string")
    throw new SkillError(
      "option-invalid",
      "'request.instructions' must be a text. Call your function before the turn.",
    );
  const { session, request, tools: given = [], files = true } = call;
  const { instructions, tools = [], input } = request;
  const names = tools.map(({ name }) => name);
  const own = toModelTools(session, given, { taken: names });
  const taken = [...names, ...own.map(({ name }) => name)];
  const { tool } = await loadPeer("@openai/agents", () => import("@openai/agents"), {
    versions: VERSIONS,
    features: ["tool", "InvalidToolOutputError"],
  });
  const items: readonly AgentInputItem[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  const turn = await openNativeTurn(session, items, { ...call, taken }, SHAPE);
  const { instructions: catalog } = turn;
  const seen = { filter: false, call: false };
  const ours = [...own, ...turn.tools].map(({ name, description, inputSchema, isAvailable, execute }) =>
    tool({
      name,
      description,
      parameters: inputSchema as never,
      strict: false,
      isEnabled: async ({ agent }) => {
        // Not where the function is called: the SDK would send the error to the model.
        if (seen.call && !seen.filter && lacks(agent.instructions, catalog))
          throw new SkillError("option-invalid", NO_FILTER);
        return isAvailable();
      },
      execute: async (given: unknown, _context, details) => {
        seen.call = true;
        const calling = { signal: details?.signal, ...(files && { takesFile: isDocumentType }) };
        return toToolOutput(await execute(given, calling));
      },
    }),
  );
  const ourNames = ours.map(({ name }) => name);
  let starting: unknown;
  return {
    ...(instructions !== undefined && { instructions: join(instructions, catalog) }),
    tools: [...(mayRestrict(session) ? tools.map((one) => guard(session, one)) : tools), ...ours],
    input: [...turn.messages],
    callModelInputFilter: async ({ modelData, agent }) => {
      seen.filter = true;
      starting ??= agent;
      const { messages } = await turn.step(modelData.input);
      // An agent that the first one hands off to may have none of the functions that the catalog names.
      const isOurs = ours.length === 0 ? agent === starting : agent.tools.some(({ name }) => ourNames.includes(name));
      const sent = isOurs ? join(modelData.instructions, catalog) : modelData.instructions;
      return { input: [...messages], ...(sent !== undefined && { instructions: sent }) };
    },
    invoked: turn.invoked,
  };
}

const NO_FILTER =
  "Pass 'callModelInputFilter' of withSkills() to run(): it adds the catalog of the skills to the agent's instructions.";

/** Appends the catalog, unless the instructions have it. */
function join(instructions: string | undefined, catalog: string): string {
  if (catalog === "" || instructions?.includes(catalog)) return instructions ?? "";
  return [instructions, catalog].filter(Boolean).join("\n\n");
}

/** Functions may return anything. */
function lacks(instructions: unknown, catalog: string): boolean {
  return typeof instructions === "string" && !instructions.includes(catalog);
}

/** A string without files, as the SDK expects from most tools. */
function toToolOutput(result: OperationResult): string | ToolCallOutputContent[] {
  const files = result.isError ? [] : (result.files ?? []);
  if (files.length === 0) return result.text;
  return [{ type: "text", text: result.text }, ...files.map(toFileOutput)];
}

function toFileOutput(file: ResultFile): ToolOutputImage | ToolOutputFileContent {
  const { mediaType } = file;
  if (isImageType(mediaType)) return { type: "image", image: toDataUrl(file) };
  return { type: "file", file: { data: toBase64(file.data), mediaType, filename: fileName(file) } };
}

/**
 * Only functions are run by this program; the SDK or the API runs the other tools. A guardrail instead of another
 * `invoke`, by which the SDK recognises its functions.
 */
function guard(session: Session, tool: Tool): Tool {
  if (tool.type !== "function") return tool;
  const guardrail: ToolInputGuardrailDefinition = {
    type: "tool_input",
    name: "allowed-tools",
    run: async ({ toolCall }) => {
      const decision = session.checkTool(tool.name, parse(toolCall.arguments));
      return { behavior: decision.allowed ? { type: "allow" } : { type: "rejectContent", message: decision.message } };
    },
  };
  return { ...tool, inputGuardrails: [...(tool.inputGuardrails ?? []), guardrail] };
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

const SHAPE: TurnShape<AgentInputItem> = {
  read: (item) => {
    const text = textOf(item);
    return {
      role: "role" in item ? item.role : "tool",
      text,
      ...(item.type === "function_call" && { calls: [{ id: item.callId, name: item.name, input: item.arguments }] }),
      ...(item.type === "function_call_result" && { results: [{ id: item.callId, text }] }),
    };
  },
  replaceText: (item, texts) =>
    "content" in item
      ? ({ ...item, content: replaceContent(item.content, texts, "input_text") } as AgentInputItem)
      : item,
  replaceResults: (item, replaced) => {
    const output = item.type === "function_call_result" ? replaced.get(item.callId) : undefined;
    return output === undefined ? item : ({ ...item, output } as AgentInputItem);
  },
};

function textOf(item: AgentInputItem): string {
  const content = "content" in item ? item.content : "output" in item ? item.output : undefined;
  return contentText(typeof content === "object" && !Array.isArray(content) ? [content] : content);
}

const OPTIONS: OptionTable<AgentSkillsOptions> = { ...ADAPTER_OPTIONS, request: true };
const REQUEST: OptionTable<AgentSkillsRequest> = { instructions: true, tools: true, input: true };
/** The SDK would offer an object that is not from `tool()` as something else, or never call it. */
const TOOLS: CallChecks["tools"] = {
  isList: true,
  faultOf: ({ type, invoke }) =>
    type === undefined || (type === "function" && typeof invoke !== "function")
      ? "must be created with tool() of @openai/agents."
      : undefined,
};
const CHECKS = {
  options: OPTIONS,
  tools: TOOLS,
  fields: REQUEST,
  refused: { system: "Use 'instructions'.", messages: "Use 'input'." },
  conversation: "input",
};
