import type {
  Instructions,
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  StopCondition,
  SystemModelMessage,
  Tool,
  ToolSet,
} from "ai";
import type { InvokedSkill, OperationResult, SentMessage, TurnMessage, TurnOptions } from "../adapter/index.ts";
import {
  type CompactRequestOptions,
  checkCall,
  checkMaxSteps,
  compactRequest,
  readResultFile,
  toModelTools,
} from "../adapter/index.ts";
import type { Tool as HostTool, Session } from "../index.ts";
import { MESSAGE_SHAPE } from "./compact-messages.ts";
import { FilePlacing, type FilesOption } from "./file-placing.ts";
import { guardTools } from "./guard-tools.ts";
import { loadAi } from "./load-ai.ts";
import { replaceText, resultsAsText, textOf } from "./message-text.ts";
import type { RestoreFile } from "./result-files.ts";
import { toSdkTool } from "./sdk-tool.ts";

/** The settings of `streamText`, `generateText` or an agent that skills change. */
export interface WithSkillsRequest<Tools extends ToolSet> {
  /** Your system prompt. The catalog is appended to it. */
  readonly instructions?: Instructions;
  /** The conversation, with the user's new message last. */
  readonly messages: readonly ModelMessage[];
  /**
   * Your own tools of the AI SDK.
   * @default {}
   */
  readonly tools?: Tools;
  /**
   * Which of your tools to offer, by name, unless your `prepareStep` returns others. The skills' tools are always offered.
   * @default all of them
   */
  readonly activeTools?: readonly string[];
  /** Your own `prepareStep`. Its result is merged with the skills' tools. */
  readonly prepareStep?: PrepareStepFunction<Tools>;
  /** Your own conditions that end the run. With `maxSteps`, the run ends at whichever is met first. */
  readonly stopWhen?: StopCondition<Tools> | StopCondition<Tools>[];
}

export interface WithSkillsOptions<Tools extends ToolSet> extends Omit<TurnOptions, "taken" | "rules"> {
  readonly session: Session;
  readonly request: WithSkillsRequest<Tools>;
  /**
   * Your own tools, from `defineTool`.
   * @default []
   */
  readonly tools?: readonly HostTool[];
  /**
   * Maximum number of requests in the run. `endedEarly` detects a run that ended this way.
   * @default 20, or unlimited if `stopWhen` is set
   */
  readonly maxSteps?: number;
  /**
   * Sends binary files and data that the model reads as files, as far as the model's provider takes them. With `false`,
   * for models without vision, binary files are refused with an error, and data is text. A function decides by the media
   * type.
   * @default true
   */
  readonly files?: FilesOption;
  /** Shortens each request that exceeds a limit, before the first step and between steps. Disabled if omitted. */
  readonly compact?: CompactRequestOptions;
}

/**
 * The default operations, for the types of your UI. Each is optional: there are none without skills or with `inject`, and
 * an alias has another name.
 */
export type SkillTools = Partial<
  Record<"activate_skill" | "read_skill_file", Tool<Record<string, string>, OperationResult>> &
    Record<"run_skill_script" | "search_skills", Tool<Record<string, unknown>, OperationResult>>
>;

/** Settings to spread into `streamText`, `generateText` or an agent. */
export interface WithSkills<Tools extends ToolSet> {
  /** Absent if empty: some endpoints reject an empty system prompt. */
  readonly instructions?: Instructions;
  readonly messages: ModelMessage[];
  readonly tools: Tools & SkillTools;
  readonly prepareStep: PrepareStepFunction<Tools & SkillTools>;
  readonly stopWhen: StopCondition<Tools & SkillTools> | StopCondition<Tools & SkillTools>[];
  /** The skills that the last message invoked. If they are `bare`, the message is only their instructions. */
  readonly invoked: readonly InvokedSkill[];
}

/**
 * Adds the session's skills to a model request: the catalog, the operations, and the tools of active skills.
 *
 * @example
 * ```ts
 * import { generateText, type LanguageModel } from "ai";
 * import { createSkillset } from "skillset";
 * import { withSkills } from "skillset/ai-sdk";
 *
 * declare const model: LanguageModel;
 * const skills = await createSkillset(["./skills"]);
 * const session = await skills.session();
 * const messages = [{ role: "user" as const, content: "Fill in the form." }];
 * const { invoked, ...settings } = await withSkills({ session, request: { messages } });
 * const { text } = await generateText({ model, ...settings });
 * ```
 */
export async function withSkills<Tools extends ToolSet = Record<never, Tool>>(
  call: WithSkillsOptions<Tools>,
): Promise<WithSkills<Tools>> {
  checkCall("withSkills", call, ["session", "request"]);
  const { session, request, tools: given = [], compact, files = true, ...options } = call;
  const { instructions, tools = {} as Tools, activeTools, prepareStep } = request;
  const own = toModelTools(session, given, { taken: Object.keys(tools) });
  const taken = [...Object.keys(tools), ...own.map(({ name }) => name)];
  const isOwn = (name: string): boolean => taken.includes(name);
  const restore: RestoreFile = (file) => readResultFile(session, file);
  const messages = await Promise.all(request.messages.map((message) => resultsAsText(message, isOwn, restore)));
  const placing = new FilePlacing(files, isOwn);
  const toolOptions = { restore, takesFile: placing.takesFile };
  const { jsonSchema } = await loadAi();
  const stopWhen = stopConditions(call);
  const turn = await session.turn(messages.map(toMessage), { ...options, taken });
  const all = append(instructions, turn.instructions);
  const surroundings = {
    texts: typeof all === "string" ? [all] : [all].flat().map(({ content }) => content),
    invocations: turn.messages.filter(({ texts }) => texts !== undefined).map(({ text }) => text),
  };
  return {
    ...(all !== "" && { instructions: all }),
    messages: toModelMessages(messages, turn.messages),
    tools: {
      ...guardTools(session, tools),
      ...Object.fromEntries([...own, ...turn.tools].map((one) => [one.name, toSdkTool(one, jsonSchema, toolOptions)])),
    } as Tools & SkillTools,
    stopWhen: stopWhen as never,
    invoked: turn.invoked,
    // The SDK's types tie a step to one tool set. This step works with your tools and the skills' tools.
    prepareStep: (async (step: { readonly messages: readonly ModelMessage[]; readonly model?: LanguageModel }) => {
      const wanted = await prepareStep?.(step as never);
      placing.use(wanted?.model ?? step.model);
      const given = wanted?.messages ?? step.messages;
      const kept = compact ? await compactRequest(session, given, surroundings, compact, MESSAGE_SHAPE) : given;
      const next = await turn.step(kept.map(toMessage));
      const offered = next.tools.map(({ name }) => name);
      const hasTexts = next.messages.some(({ texts }) => texts !== undefined);
      const sent = placing.place(hasTexts ? toModelMessages(kept, next.messages) : kept);
      return {
        ...wanted,
        ...(sent !== given && { messages: sent }),
        activeTools: [...(wanted?.activeTools ?? activeTools ?? taken), ...offered],
      };
    }) as never,
  };
}

function stopConditions<Tools extends ToolSet>({ request: { stopWhen }, maxSteps }: WithSkillsOptions<Tools>) {
  const given = [stopWhen ?? []].flat();
  if (stopWhen !== undefined && maxSteps === undefined) return given;
  const limit = checkMaxSteps(maxSteps);
  return [...given, ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= limit];
}

function toMessage(message: ModelMessage): TurnMessage {
  return { role: message.role, text: textOf(message) };
}

function toModelMessages(messages: readonly ModelMessage[], sent: readonly SentMessage[]): ModelMessage[] {
  return messages.map((message, index) => replaceText(message, sent[index]?.texts));
}

/** A string stays a string, because some endpoints accept only one system message. */
function append(instructions: Instructions | undefined, ours: string): Instructions {
  if (instructions === undefined || typeof instructions === "string")
    return [instructions, ours].filter(Boolean).join("\n\n");
  const added: SystemModelMessage[] = ours === "" ? [] : [{ role: "system", content: ours }];
  return [...[instructions].flat(), ...added];
}
