import { SkillError } from "../base/errors.ts";
import type { CatalogBudget } from "../catalog/catalog.ts";
import type { StoredInstructions } from "../conversation/state.ts";
import { conversationOf } from "../conversation-of.ts";
import type { Conversation } from "../session/conversation.ts";
import { parseInvocations } from "../session/invocation.ts";
import { changedTo } from "../session/review-active.ts";
import type { Session } from "../session.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import type { TokenCounter } from "../text/tokens.ts";
import { checkList } from "../turn/check-messages.ts";
import { readEarlier } from "../turn/instructions.ts";
import { repeatText, triggeredIn } from "../turn/leading-texts.ts";
import { placeNotices } from "../turn/place-notices.ts";
import type { TurnCall, TurnResult } from "../turn/turn.ts";
import { compactHistory, type HistoryMessage, removeInstructions } from "./compact.ts";

export interface CompactMessagesOptions {
  /** The maximum size of the messages. */
  readonly budget: CatalogBudget;
  /**
   * Counts the tokens of a text.
   * @default estimateTokens
   */
  readonly countTokens?: TokenCounter;
}

interface CompactWithOptions extends CompactMessagesOptions {
  readonly overflow?: "throw" | "allow";
  /** Texts of the request outside the messages. Instructions in them are not repeated in a message. */
  readonly elsewhere?: readonly string[];
}

export interface CompactedMessages<Native> {
  readonly messages: Native[];
  /** Skills whose instructions were inserted again. */
  readonly injected: readonly string[];
  /** Skills whose instructions did not fit. A stub replaces each. */
  readonly stubbed: readonly string[];
  /** The number of dropped messages. */
  readonly dropped: number;
}

/** Reads and writes an SDK's messages. */
export interface MessageShape<Native> {
  /**
   * Returns the message's role, under the SDK's name for it, the texts in it, and other content that the model reads.
   */
  read(message: Native): MessageReading;
  /** Returns the message with each of its texts changed. */
  mapText(message: Native, change: (text: string) => string): Native;
  /** Returns a user's message with its texts replaced. */
  replaceText(message: Native, texts: readonly string[]): Native;
  /** Returns the message with these results, by the id of the call, each with nothing but the text. */
  replaceResults?(message: Native, replaced: ReadonlyMap<string, string>): Native;
  /** Returns a message that contains instructions. */
  write(instructions: string): Native;
}

/** Runs `compactHistory` on an SDK's messages, with the active skills of a session, if there is one. */
export async function compactWith<Native>(
  session: Session | undefined,
  messages: readonly Native[],
  given: CompactWithOptions,
  shape: MessageShape<Native>,
): Promise<CompactedMessages<Native>> {
  checkOptions("Shortening a history", given, OPTIONS);
  if (given?.budget === undefined)
    throw new SkillError(
      "option-invalid",
      "Shortening a history needs the option 'budget', such as { tokens: 8_000 }.",
    );
  checkList("The history", messages);
  const { elsewhere = [], ...options } = given;
  const context = session && conversationOf(session);
  const read = messages.map(shape.read);
  const readings = context === undefined ? read : await readAll(context, read);
  const active = context === undefined ? [] : await activeTexts(context, readings, elsewhere);
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
  /**
   * Other content that the model reads.
   * @default the calls
   */
  readonly extra?: string;
  /** What the files in the message cost. */
  readonly fileTokens?: number;
  /** The calls and the results in the message. */
  readonly calls?: readonly TurnCall[];
  readonly results?: readonly TurnResult[];
  /** The user wrote a skill's name, and the instructions replace it in the message. */
  readonly isInvocation?: boolean;
}

/** Reads the messages, with the instructions that replace `/name` in a request. */
async function readAll(context: Conversation, messages: readonly MessageReading[]): Promise<readonly MessageReading[]> {
  const readings: MessageReading[] = [];
  const triggered = allTriggered(context, messages);
  for (const [index, message] of messages.entries()) {
    const { role, text } = message;
    const invocations =
      role === "user" ? parseInvocations(text, context.skillset, context.settings.invocationPrefix) : [];
    const held = readings.map((reading) => reading.text);
    const given: string[] = [];
    const repeat = async (stored: StoredInstructions, words: string | undefined): Promise<void> => {
      const read = await readEarlier(context, { stored, words }, undefined);
      const one = context.memory.active.has(stored.name) ? repeatText(stored, read, held) : undefined;
      if (one !== undefined) given.push(one);
    };
    for (const { skill, arguments: words } of invocations) {
      const active = context.memory.active.get(skill.name);
      if (active !== undefined) await repeat({ name: active.name, digest: active.digest, changed: false }, words);
    }
    for (const stored of triggered.get(index) ?? []) await repeat(stored, undefined);
    const words = invocations[0]?.arguments ?? text;
    if (given.length === 0) readings.push(message);
    else readings.push({ ...message, text: [...given, words].join("\n\n").trimEnd(), isInvocation: true });
  }
  return readings;
}

/** Returns the instructions that triggers added, by the index of their message. */
function allTriggered(
  { memory }: Conversation,
  messages: readonly MessageReading[],
): ReadonlyMap<number, readonly StoredInstructions[]> {
  const asked = messages.map(({ role, text }) => ({
    role: role === "user" ? ("user" as const) : ("tool" as const),
    text,
  }));
  const placed = [...placeNotices(memory.notices, asked)];
  return new Map(placed.map(([index, notices]) => [index, triggeredIn(notices, asked[index]?.text ?? "")]));
}

/** Returns the instructions of the active skills, with the arguments of an invocation if a user's message has them. */
async function activeTexts(context: Conversation, readings: readonly MessageReading[], elsewhere: readonly string[]) {
  const { skillset, memory } = context;
  const { given, ledger } = context.resources;
  const isElsewhere = (name: string): boolean =>
    elsewhere.some((text) => given.of(name).some((one) => text.includes(one)));
  const active = [...memory.active.keys()].map(async (name) => {
    const skill = skillset.get(name);
    const words = memory.active.get(name)?.arguments;
    const now = skill && (await unlessUnreadable(context.disclose(skill, { arguments: words })));
    if (now === undefined) return [];
    // Only exact matches count. Other text that looks like instructions was written by someone else.
    const held = readings
      .toReversed()
      .flatMap((reading) => given.of(name).filter((one) => reading.text.includes(one)))
      .at(0);
    return [{ name, text: held === undefined || changedTo(ledger.entries, name) !== undefined ? now.text : held }];
  });
  return (await Promise.all(active)).flat().filter(({ name }) => !isElsewhere(name));
}

/** Returns undefined for instructions that cannot be read now, so they stay where they are. */
function unlessUnreadable<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch(() => undefined);
}

const CLOSE_TAG = "</skill_content>";

/** Keeps or drops an exchange as a whole: a user's message and everything up to the next one. */
function toMessage(reading: MessageReading, exchange: number): HistoryMessage {
  const { role, text: content, fileTokens, isInvocation = false } = reading;
  const extra = extraOf(reading);
  // A message with only instructions was inserted by an earlier call.
  const isPutIn = !isInvocation && content.startsWith("<skill_content ") && content.endsWith(CLOSE_TAG);
  if (role === "system" || role === "developer" || (role === "user" && isPutIn)) return { role: "system", content };
  const known = role === "user" || role === "assistant" ? role : "tool";
  return { role: known, content, ...(extra && { extra }), ...(fileTokens && { fileTokens }), group: String(exchange) };
}

/** Returns what counts towards a budget besides the text and the files. */
export function extraOf({ extra, calls = [] }: MessageReading): string {
  return extra ?? calls.map(({ name, input }) => name + toJson(input)).join("");
}

function toJson(input: unknown): string {
  return typeof input === "string" ? input : (JSON.stringify(input) ?? "");
}

const OPTIONS: OptionTable<CompactWithOptions> = {
  budget: true,
  countTokens: true,
  elsewhere: true,
  overflow: true,
};
