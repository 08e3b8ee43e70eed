import type {
  Instructions,
  ModelMessage,
  PrepareStepFunction,
  StopCondition,
  SystemModelMessage,
  Tool,
  ToolSet,
} from "ai";
import type {
  InvokedSkill,
  ModelTool,
  OperationResult,
  SentMessage,
  TurnMessage,
  TurnOptions,
} from "../adapter/index.ts";
import {
  type CompactRequestOptions,
  checkMaxSteps,
  compactRequest,
  loadPeer,
  mayRestrict,
  requireTool,
} from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { MESSAGE_SHAPE } from "./compact-messages.ts";
import { replaceText, resultsAsText, textOf, toOutput } from "./message-text.ts";

export interface WithSkillsOptions<Tools extends ToolSet> extends Omit<TurnOptions, "taken" | "rules"> {
  /** Your system prompt. The catalog is appended to it. */
  readonly instructions?: Instructions;
  /**
   * Your own tools.
   * @default {}
   */
  readonly tools?: Tools;
  /** The conversation, with the user's new message last. */
  readonly messages: readonly ModelMessage[];
  /** Your own `prepareStep`. Its result is merged with the skills' tools. */
  readonly prepareStep?: PrepareStepFunction<Tools>;
  /**
   * Maximum number of requests in the run. `endedEarly` detects a run that ended this way.
   * @default 20, or unlimited if `stopWhen` is set
   */
  readonly maxSteps?: number;
  /** Shortens each request that exceeds a limit, before the first step and between steps. Disabled if omitted. */
  readonly compact?: CompactRequestOptions;
  /** Your own conditions that end the run. With `maxSteps`, the run ends at whichever is met first. */
  readonly stopWhen?: StopCondition<Tools> | StopCondition<Tools>[];
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
 * const { invoked, ...settings } = await withSkills(session, { messages });
 * const { text } = await generateText({ model, ...settings });
 * ```
 */
export async function withSkills<Tools extends ToolSet = Record<never, Tool>>(
  session: Session,
  options: WithSkillsOptions<Tools>,
): Promise<WithSkills<Tools>> {
  const { instructions, tools = {} as Tools, prepareStep, compact } = options;
  const messages = options.messages.map((message) => resultsAsText(message, (name) => Object.hasOwn(tools, name)));
  const { jsonSchema } = await loadPeer("ai", () => import("ai"));
  const stopWhen = stopConditions(options);
  const turn = await session.turn(messages.map(toMessage), { ...options, taken: Object.keys(tools) });
  const toTool = ({ description, inputSchema, execute }: ModelTool): Tool => ({
    description,
    inputSchema: jsonSchema(inputSchema as object),
    execute: (input: unknown, { abortSignal }) => execute(input, { signal: abortSignal }),
    toModelOutput: ({ output }) => toOutput(output),
  });
  const all = append(instructions, turn.instructions);
  const surroundings = {
    texts: typeof all === "string" ? [all] : [all].flat().map(({ content }) => content),
    invocations: turn.messages.filter(({ texts }) => texts !== undefined).map(({ text }) => text),
  };
  return {
    ...(all !== "" && { instructions: all }),
    messages: toModelMessages(messages, turn.messages),
    tools: {
      ...(mayRestrict(session) ? guard(session, tools) : tools),
      ...Object.fromEntries(turn.tools.map((one) => [one.name, toTool(one)])),
    } as Tools & SkillTools,
    stopWhen: stopWhen as never,
    invoked: turn.invoked,
    // The SDK's types tie a step to one tool set. This step works with your tools and the skills' tools.
    prepareStep: (async (step: { readonly messages: readonly ModelMessage[] }) => {
      const wanted = await prepareStep?.(step as never);
      const given = wanted?.messages ?? step.messages;
      const kept = compact ? await compactRequest(session, given, surroundings, compact, MESSAGE_SHAPE) : given;
      const next = await turn.step(kept.map(toMessage));
      const offered = next.tools.map(({ name }) => name);
      const isChanged = kept !== given || next.messages.some(({ texts }) => texts !== undefined);
      return {
        ...wanted,
        ...(isChanged && { messages: toModelMessages(kept, next.messages) }),
        activeTools: [...(wanted?.activeTools ?? Object.keys(tools)), ...offered],
      };
    }) as never,
  };
}

/** Tools that your client or the provider runs have no function here, so they cannot be denied. */
function guard(session: Session, tools: ToolSet): ToolSet {
  const guarded = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    const checked: typeof execute = (input, options) => {
      requireTool(session, name, input);
      return execute(input, options);
    };
    return [name, { ...tool, execute: checked } as Tool];
  });
  return Object.fromEntries(guarded);
}

function stopConditions<Tools extends ToolSet>({ stopWhen, maxSteps }: WithSkillsOptions<Tools>) {
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
