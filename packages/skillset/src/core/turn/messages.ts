import { activate } from "../operations/activate-skill.ts";
import type { Activation } from "../session/activation.ts";
import type { SessionContext } from "../session/context.ts";
import { type Invocation, parseInvocation } from "../session/invocation.ts";
import type { StoredCatalog, StoredInstructions, StoredNotice } from "../session/store.ts";
import { textMark } from "../skill/fingerprint.ts";
import { missingInstructions, recallAll, repeatInstructions } from "./instructions.ts";
import { type NoticeOptions, noticeOf, placeNotices, userMessages } from "./notices.ts";
import type { InvokedSkill, SentMessage, TurnMessage } from "./turn.ts";

export interface RewriteOptions extends NoticeOptions {
  readonly shown: StoredCatalog;
  readonly signal: AbortSignal | undefined;
}

export interface Rewriting {
  readonly messages: readonly SentMessage[];
  /** The notices that are in the messages. */
  readonly notices: readonly StoredNotice[];
  readonly invoked?: InvokedSkill;
}

/** Returns the messages exactly as they were sent before, and the last one with new notices. */
export async function rewriteMessages(
  context: SessionContext,
  messages: readonly TurnMessage[],
  { shown, signal, ...options }: RewriteOptions,
): Promise<Rewriting> {
  const { memory } = context;
  const before = placeNotices(memory.notices, messages);
  const last = messages.findLastIndex(({ role }) => role === "user");
  // In a turn that continues, for example after a tool's result, the last user message is not new.
  const isAsked = last !== -1 && last === messages.length - 1;
  const parts: MessageParts[] = [];
  const held: string[] = [];
  let invoked: InvokedSkill | undefined;
  for (const [index, message] of messages.entries()) {
    const notices = before.get(index) ?? [];
    const invocation = isAsked && index === last ? invocationIn(context, message) : undefined;
    if (invocation !== undefined) invoked = await invoke(context, invocation, notices, held, signal);
    const part = await repeatMessage(context, message, notices, invocation && invoked, held, signal);
    parts.push(part);
    held.push(textOfParts(part));
  }
  const missing = await missingInstructions(context, memory.active.keys(), held, signal);

  // No await from here to `addNotice`: another turn could add the same notice in between.
  const placed = placeNotices(memory.notices, messages);
  const told = placed.get(last) ?? [];
  const given = missing.filter(({ name }) => !told.some((one) => one.given?.some((other) => other.name === name)));
  const names = given.map(({ name }) => name);
  const notice = isAsked ? noticeOf(context, shown, placed, { ...options, given: names }) : undefined;
  const stored = invoked && storedOf(invoked.activation);
  const isTold = told.findLast((one) => one.invoked !== undefined)?.invoked?.digest === stored?.digest;
  const hasNews = notice !== undefined || given.length > 0 || (stored !== undefined && !isTold);
  if (last !== -1 && hasNews) {
    const asked = userMessages(messages).map(({ text }) => textMark(text));
    memory.addNotice({
      message: asked.at(-1) ?? "",
      ...(asked.length > 1 && { after: asked.at(-2) }),
      position: asked.length - 1,
      ...(stored !== undefined && !isTold && { invoked: stored }),
      ...(given.length > 0 && { given }),
      ...notice,
    });
    takeNewInstructions(context, given);
  }

  const all = placeNotices(memory.notices, messages);
  const [message, part] = [messages[last], parts[last]];
  if (message !== undefined && part !== undefined && (all.get(last)?.length ?? 0) > (before.get(last)?.length ?? 0))
    parts[last] = await repeatMessage(context, message, all.get(last) ?? [], invoked, held.slice(0, last), signal);
  if (memory.isDirty) await memory.save();
  return {
    messages: messages.map((one, index) => toSent(one, parts[index])),
    notices: [...all.values()].flat(),
    ...(invoked && { invoked }),
  };
}

/** Inserts texts into the user's last message. */
export function insertTexts(messages: readonly TurnMessage[], texts: readonly string[]): readonly SentMessage[] {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => (index === last ? sentMessage(message, texts, message.text) : message));
}

/** Returns the message with these texts before the user's words. */
export function sentMessage({ role }: TurnMessage, before: readonly string[], words: string): SentMessage {
  const texts = joined(before, words);
  return { role, text: texts.join("\n\n"), texts };
}

/** The parts of a message: what the library inserts, followed by the user's words. */
interface MessageParts {
  readonly before: readonly string[];
  readonly words: string;
}

/** Returns a message with its notices. `invoked` is the skill whose instructions now replace `/name`. */
async function repeatMessage(
  context: SessionContext,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  invoked: InvokedSkill | undefined,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<MessageParts> {
  const own = invoked && { before: [invoked.activation.text], words: invoked.arguments };
  const stored = notices.findLast((notice) => notice.invoked !== undefined)?.invoked;
  const { before, words } = own ??
    (await repeatInvocation(context, message, stored, held, signal)) ?? { before: [], words: message.text };
  const texts = [...before];
  for (const { given = [], text } of notices) {
    // Some hosts store messages as they were sent.
    const isSent = text !== undefined && message.text.includes(text);
    if (!isSent) texts.push(...(text === undefined ? [] : [text]), ...(await recallAll(context, given, signal)));
  }
  return { before: texts, words };
}

/** Returns what replaced `/name` in an earlier request. Skips skills that were deactivated since. */
async function repeatInvocation(
  context: SessionContext,
  message: TurnMessage,
  stored: StoredInstructions | undefined,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<MessageParts | undefined> {
  const { skillset, memory, invocationPrefix } = context;
  if (stored === undefined || !message.text.startsWith(invocationPrefix)) return undefined;
  if (skillset.has(stored.name) && !memory.active.has(stored.name)) return undefined;
  const words = message.text.slice(invocationPrefix.length).replace(/^\S+/, "").trim();
  const text = await repeatInstructions(context, stored, { words, held, signal });
  return text === undefined ? undefined : { before: [text], words };
}

function invocationIn({ skillset, invocationPrefix }: SessionContext, { text }: TurnMessage): Invocation | undefined {
  return parseInvocation(text, skillset, invocationPrefix);
}

/** Activates the skill that a message invokes. A message that is sent again already has it and spends nothing. */
async function invoke(
  context: SessionContext,
  invocation: Invocation,
  notices: readonly StoredNotice[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<InvokedSkill> {
  const { skill, arguments: words } = invocation;
  const stored = notices.findLast((notice) => notice.invoked !== undefined)?.invoked;
  if (stored?.name === skill.name && context.memory.active.has(skill.name)) {
    const known = stored.changed ? "" : stored.digest;
    const again = await context.disclose(skill, { arguments: words, held, known, signal });
    if (again.digest === stored.digest) return { ...invocation, activation: again };
  }
  const activation = await activate(context, skill.name, { by: "user", arguments: words, signal, held });
  return { ...invocation, activation };
}

/** Records changed instructions that are sent again as the conversation's current ones. */
function takeNewInstructions({ memory }: SessionContext, given: readonly StoredInstructions[]): void {
  for (const { name, digest } of given) {
    const active = memory.active.get(name);
    if (active !== undefined) memory.activate({ ...active, digest });
  }
}

function storedOf({ name, digest, changed, alreadyActive }: Activation): StoredInstructions {
  return { name, digest, changed, ...(alreadyActive && { repeated: true }) };
}

function textOfParts({ before, words }: MessageParts): string {
  return joined(before, words).join("\n\n");
}

function joined(before: readonly string[], words: string): readonly string[] {
  return words === "" ? before : [...before, words];
}

function toSent(message: TurnMessage, parts: MessageParts | undefined): SentMessage {
  if (parts === undefined || (parts.before.length === 0 && parts.words === message.text)) return message;
  return sentMessage(message, parts.before, parts.words);
}
