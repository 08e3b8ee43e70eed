import type { CatalogBudget } from "./catalog.ts";
import { compact, type Message, removeInstructions } from "./compact.ts";
import type { Session } from "./session.ts";
import type { TokenCounter } from "./tokens.ts";
import { hasChanged } from "./turn.ts";

export interface CompactMessagesOptions {
  readonly budget: CatalogBudget;
  readonly countTokens?: TokenCounter;
}

interface CompactWithOptions extends CompactMessagesOptions {
  readonly overflow?: "throw" | "allow";
  /** Texts that the request has besides the messages: instructions in them need not be in a message too. */
  readonly elsewhere?: readonly string[];
}

export interface CompactedMessages<Native> {
  readonly messages: Native[];
  /** Skills whose instructions were put in again. */
  readonly injected: readonly string[];
  /** Skills whose instructions did not fit; a stub names each. */
  readonly stubbed: readonly string[];
  /** How many messages were dropped. */
  readonly dropped: number;
}

/** How an SDK's messages are read and written. */
export interface MessageShape<Native> {
  /**
   * Whose message it is, by the SDK's name for it; the texts that a model reads in it; and what else it reads there, such
   * as the arguments of calls.
   */
  read(message: Native): Reading;
  /** The same message with each of its texts changed. */
  mapText(message: Native, change: (text: string) => string): Native;
  /** A person's message with other texts in place of its own. */
  replaceText(message: Native, texts: readonly string[]): Native;
  /** A message that holds instructions. */
  write(instructions: string): Native;
}

/** `compact` for the messages of an SDK, with the active skills of a session. */
export async function compactWith<Native>(
  session: Session,
  messages: readonly Native[],
  { elsewhere = [], ...options }: CompactWithOptions,
  shape: MessageShape<Native>,
): Promise<CompactedMessages<Native>> {
  const readings = await readAll(session, messages.map(shape.read));
  const isElsewhere = (name: string): boolean =>
    elsewhere.some((text) => session.given(name).some((one) => text.includes(one)));
  const active = (await activeTexts(session, readings)).filter(({ name }) => !isElsewhere(name));
  let exchange = 0;
  const numbered = readings.map((reading, index) => {
    if (reading.role === "user") exchange++;
    return { ...toMessage(reading, exchange), index };
  });
  const { messages: kept, ...report } = compact(numbered, { ...options, active });
  return {
    ...report,
    messages: kept.map((message) => {
      const { index = -1, content } = message as Message & { readonly index?: number };
      const [source, reading] = [messages[index], readings[index]];
      if (source === undefined || reading === undefined) return shape.write(content);
      if (content === reading.text) return source;
      if (reading.isInvocation) return shape.replaceText(source, [content]);
      return shape.mapText(source, (text) => removeInstructions(text, active));
    }),
  };
}

/** A message as the model reads it. */
export interface Reading {
  readonly role: string;
  readonly text: string;
  readonly extra?: string;
  /** The person wrote a skill's name, and the instructions stand in the message in its place. */
  readonly isInvocation?: boolean;
}

/** The messages with the instructions that a request has in place of `/name`. */
async function readAll(session: Session, messages: readonly Reading[]): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const message of messages) {
    const { role, text } = message;
    const skill = role === "user" ? session.invocation(text)?.skill.name : undefined;
    const isActive = skill !== undefined && session.active.includes(skill);
    const request = isActive ? readings.map((reading) => reading.text) : [];
    const given = isActive ? await unlessUnreadable(session.fallback(text, { request })) : undefined;
    if (given === undefined) readings.push(message);
    else {
      const words = [given.instructions, given.message].join("\n\n").trimEnd();
      readings.push({ ...message, text: words, isInvocation: true });
    }
  }
  return readings;
}

/** The instructions of the active skills: with the words of an invocation, if a person's message has them so. */
async function activeTexts(session: Session, readings: readonly Reading[]) {
  const active = session.active.map(async (name) => {
    const text = await unlessUnreadable(session.recall(name));
    if (text === undefined) return [];
    // Known by its words: anything else that looks like instructions is somebody's own.
    const held = readings
      .toReversed()
      .flatMap((reading) => session.given(name).filter((one) => reading.text.includes(one)))
      .at(0);
    return [{ name, text: held === undefined || hasChanged(session, name) ? text : held }];
  });
  return (await Promise.all(active)).flat();
}

/** What cannot be read now is left where it is. */
function unlessUnreadable<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch(() => undefined);
}

const CLOSE_TAG = "</skill_content>";

/** An exchange stays or goes as a whole: a person's message, and everything up to the next one. */
function toMessage({ role, text: content, extra, isInvocation = false }: Reading, exchange: number): Message {
  // A message that is nothing but instructions was put in by an earlier call.
  const isPutIn = !isInvocation && content.startsWith("<skill_content ") && content.endsWith(CLOSE_TAG);
  if (role === "system" || role === "developer" || (role === "user" && isPutIn)) return { role: "system", content };
  const known = role === "user" || role === "assistant" ? role : "tool";
  return { role: known, content, ...(extra && { extra }), group: String(exchange) };
}
