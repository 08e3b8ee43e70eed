import type { Instructions, ModelMessage, PrepareStepFunction, StopCondition, Tool, ToolSet } from "ai";
import type { InvokedSkill, OperationResult, TurnOptions } from "../adapter/index.ts";
import {
  ADAPTER_OPTIONS,
  type CompactRequestOptions,
  checkCall,
  checkMaxSteps,
  compactRequest,
  type OptionTable,
  openNativeTurn,
  readResultFile,
  toModelTools,
  type WithoutSession,
} from "../adapter/index.ts";
import type { Tool as HostTool, Session } from "../index.ts";
import { MESSAGE_SHAPE } from "./compact-messages.ts";
import { FilePlacing, type FilesOption } from "./file-placing.ts";
import { guardTools, REQUEST_TOOLS } from "./guard-tools.ts";
import { appendCatalog, type SystemPrompt, systemPromptOf, textsIn } from "./instructions.ts";
import { loadAi } from "./load-ai.ts";
import { resultsAsText } from "./message-text.ts";
import type { RestoreFile } from "./result-files.ts";
import { toSdkTool } from "./sdk-tool.ts";

/** The settings of `streamText`, `generateText` or an agent that skills change. */
export interface WithSkillsRequest<Tools extends ToolSet> extends SystemPrompt {
  /** The conversation, with the user's new message last. */
  readonly messages: readonly ModelMessage[];
  /**
   * Your own tools of the AI SDK.
   * @default {}
   */
  readonly tools?: Tools;
  /**
   * Which of your tools to offer, by name, unless your `prepareStep` returns others. The skills' tools are offered too,
   * unless the list is empty: with `[]` the model gets no tools.
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
  /**
   * Your instructions with the catalog. Absent if the request has none: `prepareStep` then appends the catalog to the
   * `instructions` or the `system` of the call.
   */
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
  checkCall("withSkills", call, ["session", "request"], CHECKS);
  return prepareSettings(call);
}

/**
 * Returns the same settings for a conversation that has no skills, such as after a person has switched them off: requests
 * are shortened and results of earlier skills replaced as with `withSkills`.
 *
 * @example
 * ```ts
 * import { generateText, type LanguageModel } from "ai";
 * import { withoutSkills } from "skillset/ai-sdk";
 *
 * declare const model: LanguageModel;
 * const messages = [{ role: "user" as const, content: "Hello." }];
 * const settings = await withoutSkills({ request: { messages }, compact: { tokens: 100_000 } });
 * const { text } = await generateText({ model, ...settings });
 * ```
 */
export async function withoutSkills<Tools extends ToolSet = Record<never, Tool>>(
  call: WithoutSkillsOptions<Tools>,
): Promise<Omit<WithSkills<Tools>, "invoked">> {
  checkCall("withoutSkills", call, ["request"], { ...CHECKS, options: WITHOUT_OPTIONS });
  const { invoked: _, ...settings } = await prepareSettings(call);
  return settings;
}

/** The options of `withSkills` that need no skills. */
export type WithoutSkillsOptions<Tools extends ToolSet> = Pick<
  WithSkillsOptions<Tools>,
  "request" | "tools" | "maxSteps" | "files" | "compact"
>;

async function prepareSettings<Tools extends ToolSet>(
  call: WithoutSession<WithSkillsOptions<Tools>>,
): Promise<WithSkills<Tools>> {
  const { session, request, tools: given = [], compact, files = true } = call;
  const { instructions: _, system: _system, tools = {} as Tools, activeTools, prepareStep, ...rest } = request;
  const instructions = systemPromptOf(request);
  const own = toModelTools(session, given, { taken: Object.keys(tools) });
  const taken = [...Object.keys(tools), ...own.map(({ name }) => name)];
  const isOwn = (name: string): boolean => taken.includes(name);
  const restore: RestoreFile = (file) => readResultFile(session, file);
  const messages = await Promise.all(request.messages.map((message) => resultsAsText(message, isOwn, restore)));
  const placing = new FilePlacing(files, isOwn);
  const toolOptions = { restore, takesFile: placing.takesFile };
  const { jsonSchema } = await loadAi();
  const stopWhen = stopConditions(call);
  const turn = await openNativeTurn(session, messages, { ...call, taken }, MESSAGE_SHAPE);
  const { invocations } = turn;
  return {
    // Settings that skills do not change, such as the temperature.
    ...rest,
    // Without your own there are none here: they would replace a `system` of the call.
    ...(instructions !== undefined && { instructions: appendCatalog(instructions, turn.instructions) }),
    messages: [...turn.messages],
    tools: {
      ...guardTools(session, tools),
      ...Object.fromEntries([...own, ...turn.tools].map((one) => [one.name, toSdkTool(one, jsonSchema, toolOptions)])),
    } as Tools & SkillTools,
    stopWhen: stopWhen as never,
    invoked: turn.invoked,
    // The SDK's types tie a step to one tool set. This step works with your tools and the skills' tools.
    prepareStep: (async (step: Parameters<PrepareStepFunction<ToolSet>>[0]) => {
      const { system, ...wanted } = (await prepareStep?.(step as never)) ?? {};
      placing.use(wanted.model ?? step.model);
      const sentInstructions = appendCatalog(wanted.instructions ?? system ?? step.instructions, turn.instructions);
      const surroundings = { texts: textsIn(sentInstructions), invocations };
      const given = wanted.messages ?? step.messages;
      const kept = compact ? await compactRequest(session, given, surroundings, compact, MESSAGE_SHAPE) : given;
      const next = await turn.step(kept);
      const offered = next.tools.map(({ name }) => name);
      const sent = placing.place(next.messages);
      const wantedTools = wanted.activeTools ?? activeTools;
      return {
        ...wanted,
        // Some endpoints reject an empty system prompt.
        ...(sentInstructions !== "" && { instructions: sentInstructions }),
        ...(sent !== given && { messages: sent }),
        activeTools: wantedTools?.length === 0 ? [] : [...(wantedTools ?? taken), ...offered],
      };
    }) as never,
  };
}

function stopConditions<Tools extends ToolSet>({
  request: { stopWhen },
  maxSteps,
}: Pick<WithSkillsOptions<Tools>, "request" | "maxSteps">) {
  const given = [stopWhen ?? []].flat();
  if (stopWhen !== undefined && maxSteps === undefined) return given;
  const limit = checkMaxSteps(maxSteps);
  return [...given, ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= limit];
}

type Options = OptionTable<WithSkillsOptions<ToolSet>>;
const OPTIONS: Options = { ...ADAPTER_OPTIONS, request: true, maxSteps: true, compact: true };
const WITHOUT_OPTIONS: OptionTable<WithoutSkillsOptions<ToolSet>> = {
  request: true,
  tools: true,
  maxSteps: true,
  files: true,
  compact: true,
};
const CHECKS = {
  options: OPTIONS,
  conversation: "messages",
  tools: REQUEST_TOOLS,
  refused: { prompt: "Put it into 'request.messages', as a message of the user." },
};
