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
  InvokedSkill,
  OperationResult,
  PeerVersions,
  ResultFile,
  SentMessage,
  TurnMessage,
  TurnOptions,
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
  replaceContent,
  toBase64,
  toDataUrl,
  toModelTools,
} from "../adapter/index.ts";
import { type Tool as HostTool, type Session, SkillError } from "../index.ts";

const VERSIONS: PeerVersions = { name: "@openai/agents", range: ">=0.14.0 <1", install: "0.20" };

/** What skills change: settings of an `Agent`, and the input of `run`. */
export interface AgentSkillsRequest {
  /** Your system prompt; the catalog is appended to it. */
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

/** `instructions` and `tools` for an `Agent`, and `input` for `run`. */
export interface AgentSkills {
  readonly instructions: string;
  readonly tools: Tool[];
  readonly input: AgentInputItem[];
  /** Also for `run`: keeps instructions that a request already contains from being sent again. */
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
 * const { instructions, tools, input, callModelInputFilter } = await withSkills({
 *   session,
 *   request: { instructions: "You help with forms.", input: "Fill in the form." },
 * });
 * const agent = new Agent({ name: "helper", instructions, tools });
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
  const { session, request, tools: given = [], files = true, ...options } = call;
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
  const turn = await session.turn(items.map(toMessage), { ...options, taken });
  const ours = [...own, ...turn.tools].map(({ name, description, inputSchema, isAvailable, execute }) =>
    tool({
      name,
      description,
      parameters: inputSchema as never,
      strict: false,
      isEnabled: async () => isAvailable(),
      execute: async (given: unknown, _context, details) =>
        toToolOutput(await execute(given, { signal: details?.signal, ...(files && { takesFile: isDocumentType }) })),
    }),
  );
  return {
    instructions: [instructions, turn.instructions].filter(Boolean).join("\n\n"),
    tools: [...(mayRestrict(session) ? tools.map((one) => guard(session, one)) : tools), ...ours],
    input: toItems(items, turn.messages),
    callModelInputFilter: async ({ modelData }) => {
      const { messages } = await turn.step(modelData.input.map(toMessage));
      return { ...modelData, input: toItems(modelData.input, messages) };
    },
    invoked: turn.invoked,
  };
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

function toMessage(item: AgentInputItem): TurnMessage {
  const text = textOf(item);
  return {
    role: "role" in item ? item.role : "tool",
    text,
    ...(item.type === "function_call" && { calls: [{ id: item.callId, name: item.name, input: item.arguments }] }),
    ...(item.type === "function_call_result" && { results: [{ id: item.callId, text }] }),
  };
}

function toItems(items: readonly AgentInputItem[], messages: readonly SentMessage[]): AgentInputItem[] {
  return items.map((item, index) => {
    const { texts, replaced } = messages[index] ?? {};
    const output = item.type === "function_call_result" ? replaced?.get(item.callId) : undefined;
    if (output !== undefined) return { ...item, output } as AgentInputItem;
    if (texts === undefined || !("content" in item)) return item;
    return { ...item, content: replaceContent(item.content, texts, "input_text") } as AgentInputItem;
  });
}

function textOf(item: AgentInputItem): string {
  const content = "content" in item ? item.content : "output" in item ? item.output : undefined;
  return contentText(typeof content === "object" && !Array.isArray(content) ? [content] : content);
}

const OPTIONS: OptionTable<AgentSkillsOptions> = { ...ADAPTER_OPTIONS, request: true };
const REQUEST: OptionTable<AgentSkillsRequest> = { instructions: true, tools: true, input: true };
const CHECKS = {
  options: OPTIONS,
  fields: REQUEST,
  refused: { system: "Use 'instructions'.", messages: "Use 'input'." },
  conversation: "input",
};
