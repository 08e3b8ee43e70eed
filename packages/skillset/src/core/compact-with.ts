import { hasInstructions, openTag } from "./activation.ts";
import type { CatalogBudget } from "./catalog.ts";
import { compact, type Message, removeInstructions } from "./compact.ts";
import type { Session } from "./session.ts";
import type { TokenCounter } from "./tokens.ts";
import { hasChanged } from "./turn.ts";

export interface CompactMessagesOptions {
  readonly budget: CatalogBudget;
  readonly countTokens?: TokenCounter;
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
  /** Whose message it is, by the SDK's name for it, and everything that a model reads in it. */
  read(message: Native): { readonly role: string; readonly text: string };
  /** The same message with each of its texts changed. */
  mapText(message: Native, change: (text: string) => string): Native;
  /** A message that holds instructions. */
  write(instructions: string): Native;
}

/** `compact` for the messages of an SDK, with the active skills of a session. */
export async function compactWith<Native>(
  session: Session,
  messages: readonly Native[],
  options: CompactMessagesOptions,
  shape: MessageShape<Native>,
): Promise<CompactedMessages<Native>> {
  const readings = await readAll(session, messages.map(shape.read));
  const active = await activeTexts(session, readings);
  let exchange = 0;
  const numbered = readings.map(({ role, text }, index) => {
    if (role === "user") exchange++;
    return { ...toMessage(role, text, exchange), index };
  });
  const { messages: kept, ...report } = compact(numbered, { ...options, active });
  return {
    ...report,
    messages: kept.map((message) => {
      const { index = -1, content } = message as Message & { readonly index?: number };
      const [source, reading] = [messages[index], readings[index]];
      if (source === undefined || reading === undefined) return shape.write(content);
      if (content === reading.text) return source;
      return shape.mapText(source, (text) =>
        text === reading.invocation ? content : removeInstructions(text, active),
      );
    }),
  };
}

/** A message as the model reads it. */
interface Reading {
  readonly role: string;
  readonly text: string;
  /** What the person wrote, when that stands for instructions. */
  readonly invocation?: string;
}

/** The messages with the instructions that a request has in place of `/name`. */
async function readAll(session: Session, messages: readonly Reading[]): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const { role, text } of messages) {
    const skill = role === "user" ? session.invocation(text)?.skill.name : undefined;
    const isActive = skill !== undefined && session.active.includes(skill);
    const request = isActive ? readings.map((reading) => reading.text) : [];
    const given = isActive ? await unlessUnreadable(session.fallback(text, { request })) : undefined;
    if (given === undefined) readings.push({ role, text });
    else readings.push({ role, text: [given.instructions, given.message].join("\n\n").trimEnd(), invocation: text });
  }
  return readings;
}

/** The instructions of the active skills: with the words of an invocation, if a person's message has them so. */
async function activeTexts(session: Session, readings: readonly Reading[]) {
  const active = session.active.map(async (name) => {
    const text = await unlessUnreadable(session.recall(name));
    if (text === undefined) return [];
    const held = readings.findLast((reading) => reading.role === "user" && hasInstructions(reading.text, name));
    const isOld = hasChanged(session, name) || readings.some((reading) => reading.text.includes(text));
    return [{ name, text: held === undefined || isOld ? text : blockIn(held.text, name) }];
  });
  return (await Promise.all(active)).flat();
}

/** What cannot be read now is left where it is. */
function unlessUnreadable<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch(() => undefined);
}

/** A skill's instructions, out of a text that has more than them. */
function blockIn(text: string, name: string): string {
  const start = text.indexOf(openTag(name));
  return text.slice(start, text.indexOf(CLOSE_TAG, start) + CLOSE_TAG.length);
}

const CLOSE_TAG = "</skill_content>";

/** Calls and their results belong together: everything between two messages of a person does. */
function toMessage(role: string, content: string, exchange: number): Message {
  // A message that is nothing but instructions was put in by an earlier call.
  const isPutIn = content.startsWith("<skill_content ") && content.endsWith(CLOSE_TAG);
  if (role === "system" || role === "developer" || (role === "user" && isPutIn)) return { role: "system", content };
  if (role === "user") return { role, content };
  return { role: role === "assistant" ? role : "tool", content, group: String(exchange) };
}
