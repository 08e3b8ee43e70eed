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
import { type CompactRequestOptions, checkMaxSteps, compactRequest, loadPeer } from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { MESSAGE_SHAPE } from "./compact-messages.ts";
import { replaceText, resultsAsText, textOf, toOutput } from "./message-text.ts";

export interface WithSkillsOptions<Tools extends ToolSet> extends Omit<TurnOptions, "taken" | "rules"> {
  readonly instructions?: Instructions;
  readonly tools?: Tools;
  readonly messages: readonly ModelMessage[];
  readonly prepareStep?: PrepareStepFunction<Tools>;
  /** After so many requests the run ends: 20 by default, unless `stopWhen` is given. `endedEarly` detects that. */
  readonly maxSteps?: number;
  /** Shortens each request that is over a limit, before the first step and between steps. */
  readonly compact?: CompactRequestOptions;
  /** Conditions of yours that end the run; together with `maxSteps`, whichever is met first. */
  readonly stopWhen?: StopCondition<Tools> | StopCondition<Tools>[];
}

/**
 * The operations that there are unless you say otherwise, for the types of your pages. None has to be there: not without
 * skills, not with `inject`, and not under an alias.
 */
export type SkillTools = Partial<
  Record<"activate_skill" | "read_skill_file", Tool<Record<string, string>, OperationResult>>
>;

/** To be spread into `streamText`, `generateText` or an agent's settings. */
export interface WithSkills<Tools extends ToolSet> {
  /** None when there is nothing to say: some endpoints refuse an empty one. */
  readonly instructions?: Instructions;
  readonly messages: ModelMessage[];
  readonly tools: Tools & SkillTools;
  readonly prepareStep: PrepareStepFunction<Tools & SkillTools>;
  readonly stopWhen: StopCondition<Tools & SkillTools> | StopCondition<Tools & SkillTools>[];
  /** The skill that the last message named; when it is `bare`, nothing else was asked and no model is needed. */
  readonly invoked: InvokedSkill | undefined;
}

/** Gives a request to a model the session's skills: the catalog, the operations, and the tools of active skills. */
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
    tools: { ...tools, ...Object.fromEntries(turn.tools.map((one) => [one.name, toTool(one)])) } as Tools & SkillTools,
    stopWhen: stopWhen as never,
    invoked: turn.invoked,
    // The SDK's types tie a step to one set of tools; this one serves yours and ours.
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

/** One text stays one text, because some endpoints take only one system message. */
function append(instructions: Instructions | undefined, ours: string): Instructions {
  if (instructions === undefined || typeof instructions === "string")
    return [instructions, ours].filter(Boolean).join("\n\n");
  const added: SystemModelMessage[] = ours === "" ? [] : [{ role: "system", content: ours }];
  return [...[instructions].flat(), ...added];
}
