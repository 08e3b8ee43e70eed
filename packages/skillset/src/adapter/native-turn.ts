import type { MessageReading, MessageShape } from "../core/compact/compact-with.ts";
import type { Session } from "../core/session.ts";
import type { SentMessage, Turn, TurnMessage, TurnOptions, TurnStep } from "../core/turn/turn.ts";
import { turnWithoutSkills } from "../core/turn/without-skills.ts";

/** The skill content of one request, in an SDK's messages. */
export interface NativeTurn<Native> extends Pick<Turn, "instructions" | "tools" | "invoked"> {
  /** The messages to send. */
  readonly messages: readonly Native[];
  /** The texts that replace `/name` in messages of the user. */
  readonly invocations: readonly string[];
  /** Prepares the next request of a loop, as `step` of a turn. Returns the same list if no message changes. */
  step(
    messages: readonly Native[],
    options?: Pick<TurnOptions, "signal" | "taken">,
  ): Promise<Pick<TurnStep, "tools"> & { readonly messages: readonly Native[] }>;
}

/** How a turn reads and changes an SDK's messages. */
export type TurnShape<Native> = Pick<MessageShape<Native>, "read" | "replaceText" | "replaceResults">;

/**
 * Opens a turn for an SDK's messages. Without a session, the turn has no skills, and the results of skills that an earlier
 * run had are replaced. Options that do not concern the turn are ignored.
 */
export async function openNativeTurn<Native>(
  session: Session | undefined,
  messages: readonly Native[],
  options: TurnOptions,
  shape: TurnShape<Native>,
): Promise<NativeTurn<Native>> {
  const asked = readAll(messages, shape);
  const given = turnOptionsOf(options);
  const turn = session === undefined ? turnWithoutSkills(asked, given) : await session.turn(asked, given);
  const { instructions, tools, invoked } = turn;
  return {
    instructions,
    tools,
    invoked,
    messages: writeAll(messages, turn.messages, shape),
    invocations: turn.messages.filter(({ texts }) => texts !== undefined).map(({ text }) => text),
    step: async (next, stepOptions) => {
      const step = await turn.step(readAll(next, shape), stepOptions);
      return { tools: step.tools, messages: writeAll(next, step.messages, shape) };
    },
  };
}

/** An undefined option is left out. */
function turnOptionsOf(options: TurnOptions): TurnOptions {
  const names = ["catalog", "operations", "taken", "mode", "inject", "suggest", "signal"] as const;
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

function readAll<Native>(messages: readonly Native[], shape: TurnShape<Native>): TurnMessage[] {
  return messages.map((message) => toTurnMessage(shape.read(message)));
}

/** Maps the SDK's roles to those of a turn. A message without one of these roles counts as a tool's. */
function toTurnMessage({ role, text, calls, results }: MessageReading): TurnMessage {
  const message = { text, ...(calls && { calls }), ...(results && { results }) };
  if (role === "developer") return { role: "system", ...message };
  return { role: role === "system" || role === "user" || role === "assistant" ? role : "tool", ...message };
}

function writeAll<Native>(
  messages: readonly Native[],
  sent: readonly SentMessage[],
  shape: TurnShape<Native>,
): readonly Native[] {
  const written = messages.map((message, index) => {
    const { texts, replaced } = sent[index] ?? {};
    if (replaced !== undefined) return shape.replaceResults?.(message, replaced) ?? message;
    return texts === undefined ? message : shape.replaceText(message, texts);
  });
  return written.every((message, index) => message === messages[index]) ? messages : written;
}
