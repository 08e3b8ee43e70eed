import type { CatalogBudget } from "../catalog/catalog.ts";
import { contextOf } from "../context-of.ts";
import type { SessionContext } from "../session/context.ts";
import { parseInvocation } from "../session/invocation.ts";
import { changedTo } from "../session/review-active.ts";
import type { Session } from "../session.ts";
import type { TokenCounter } from "../text/tokens.ts";
import { repeatInstructions } from "../turn/instructions.ts";
import { compactHistory, type HistoryMessage, removeInstructions } from "./compact.ts";

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
  read(message: Native): MessageReading;
  /** The same message with each of its texts changed. */
  mapText(message: Native, change: (text: string) => string): Native;
  /** A person's message with other texts in place of its own. */
  replaceText(message: Native, texts: readonly string[]): Native;
  /** A message that holds instructions. */
  write(instructions: string): Native;
}

/** `compactHistory` for the messages of an SDK, with the active skills of a session. */
export async function compactWith<Native>(
  session: Session,
  messages: readonly Native[],
  { elsewhere = [], ...options }: CompactWithOptions,
  shape: MessageShape<Native>,
): Promise<CompactedMessages<Native>> {
  const context = contextOf(session);
  const readings = await readAll(context, messages.map(shape.read));
  const isElsewhere = (name: string): boolean =>
    elsewhere.some((text) => context.given.of(name).some((one) => text.includes(one)));
  const active = (await activeTexts(context, readings)).filter(({ name }) => !isElsewhere(name));
  let exchange = 0;
  const numbered = readings.map((reading, index) => {
    if (reading.role === "user") exchange++;
    return { ...toMessage(reading, exchange), index };
  });
  const { messages: kept, ...report } = compactHistory(numbered, { ...options, active });
  return {
    ...report,
    messages: kept.map((message) => {
      const { index = -1, content } = message as HistoryMessage & { readonly index?: number };
      const [source, reading] = [messages[index], readings[index]];
      if (source === undefined || reading === undefined) return shape.write(content);
      if (content === reading.text) return source;
      if (reading.isInvocation) return shape.replaceText(source, [content]);
      return shape.mapText(source, (text) => removeInstructions(text, active));
    }),
  };
}

/** A message as the model reads it. */
export interface MessageReading {
  readonly role: string;
  readonly text: string;
  readonly extra?: string;
  /** The person wrote a skill's name, and the instructions stand in the message in its place. */
  readonly isInvocation?: boolean;
}

/** The messages with the instructions that a request has in place of `/name`. */
async function readAll(
  context: SessionContext,
  messages: readonly MessageReading[],
): Promise<readonly MessageReading[]> {
  const readings: MessageReading[] = [];
  for (const message of messages) {
    const { role, text } = message;
    const invocation = role === "user" ? parseInvocation(text, context.skillset, context.invocationPrefix) : undefined;
    const active = invocation && context.memory.active.get(invocation.skill.name);
    const words = invocation?.arguments ?? "";
    const held = readings.map((reading) => reading.text);
    const stored = active && { name: active.name, digest: active.digest, changed: false };
    const given = stored && (await repeatInstructions(context, stored, { words, held, signal: undefined }));
    if (given === undefined) readings.push(message);
    else readings.push({ ...message, text: [given, words].join("\n\n").trimEnd(), isInvocation: true });
  }
  return readings;
}

/** The instructions of the active skills: with the words of an invocation, if a person's message has them so. */
async function activeTexts(context: SessionContext, readings: readonly MessageReading[]) {
  const { skillset, memory, given, ledger } = context;
  const active = [...memory.active.keys()].map(async (name) => {
    const skill = skillset.get(name);
    const now = skill && (await unlessUnreadable(context.disclose(skill)));
    if (now === undefined) return [];
    // Known by its words: anything else that looks like instructions is somebody's own.
    const held = readings
      .toReversed()
      .flatMap((reading) => given.of(name).filter((one) => reading.text.includes(one)))
      .at(0);
    return [{ name, text: held === undefined || changedTo(ledger.entries, name) !== undefined ? now.text : held }];
  });
  return (await Promise.all(active)).flat();
}

/** What cannot be read now is left where it is. */
function unlessUnreadable<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch(() => undefined);
}

const CLOSE_TAG = "</skill_content>";

/** An exchange stays or goes as a whole: a person's message, and everything up to the next one. */
function toMessage(
  { role, text: content, extra, isInvocation = false }: MessageReading,
  exchange: number,
): HistoryMessage {
  // A message that is nothing but instructions was put in by an earlier call.
  const isPutIn = !isInvocation && content.startsWith("<skill_content ") && content.endsWith(CLOSE_TAG);
  if (role === "system" || role === "developer" || (role === "user" && isPutIn)) return { role: "system", content };
  const known = role === "user" || role === "assistant" ? role : "tool";
  return { role: known, content, ...(extra && { extra }), group: String(exchange) };
}
