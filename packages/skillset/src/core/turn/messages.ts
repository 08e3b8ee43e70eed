import type { ConversationEvent } from "../conversation/reduce.ts";
import type { StoredCatalog, StoredInstructions, StoredNotice } from "../conversation/state.ts";
import type { Conversation } from "../session/conversation.ts";
import { textMark } from "../skill/fingerprint.ts";
import { missingInstructions, recallAll } from "./instructions.ts";
import {
  instructionsOf,
  invokeSkills,
  type LeadingTexts,
  leadingOf,
  type OpenedSkills,
  repeatLeading,
  storedOf,
} from "./leading-texts.ts";
import { isSent, type NoticeOptions, noticeOf, placeNotices, userMessages } from "./notices.ts";
import { suggestSkills } from "./suggest-skills.ts";
import { type TriggeredSkills, triggerSkills } from "./trigger-skills.ts";
import type { InvokedSkill, SentMessage, TurnMessage } from "./turn.ts";

export interface RewriteOptions extends NoticeOptions {
  /** Whether to suggest skills that fit a new message. */
  readonly suggest: boolean;
  readonly shown: StoredCatalog;
  readonly signal: AbortSignal | undefined;
}

export interface Rewriting {
  readonly messages: readonly SentMessage[];
  /** The notices that are in the messages. */
  readonly notices: readonly StoredNotice[];
  readonly invoked: readonly InvokedSkill[];
}

/** Returns the messages exactly as they were sent before, and the last one with new notices. */
export async function rewriteMessages(
  context: Conversation,
  messages: readonly TurnMessage[],
  { shown, suggest, signal, ...options }: RewriteOptions,
): Promise<Rewriting> {
  const { memory } = context;
  const before = placeNotices(memory.notices, messages);
  const last = messages.findLastIndex(({ role }) => role === "user");
  // In a turn that continues, for example after a tool's result, the last user message is not new.
  const isAsked = last !== -1 && last === messages.length - 1;
  const parts: LeadingTexts[] = [];
  const held: string[] = [];
  let opened: OpenedSkills & { readonly suggested?: readonly string[] } = { invoked: [], triggered: [] };
  for (const [index, message] of messages.entries()) {
    const notices = before.get(index) ?? [];
    if (isAsked && index === last) opened = await openSkills(context, message, notices, held, signal);
    const part = await repeatMessage(context, message, notices, opened, held, signal);
    parts.push(part);
    held.push(textOfParts(part));
  }
  const missing = await missingInstructions(context, memory.active.keys(), held, signal);
  const isSearched = suggest && isAsked && opened.invoked.length === 0 && !isShortlisted(before.get(last));
  const asked = isSearched ? messages[last] : undefined;
  const searching = { ...options, shown, notices: [...before.values()].flat(), named: opened.suggested ?? [], signal };
  const found = asked && (await suggestSkills(context, asked, searching));

  // No await from here to `commit`: another turn could add the same notice in between.
  const placed = placeNotices(memory.notices, messages);
  const told = placed.get(last) ?? [];
  const given = missing.filter(({ name }) => !told.some((one) => one.given?.some((other) => other.name === name)));
  const names = given.map(({ name }) => name);
  const { invoked } = opened;
  const suggested = told.some((one) => one.suggested !== undefined) ? [] : opened.suggested;
  const shortlist = isShortlisted(told) ? undefined : found;
  const noticing = { ...options, given: names, suggested, shortlist };
  const notice = isAsked ? noticeOf(context, shown, placed, noticing) : undefined;
  if (shortlist !== undefined)
    context.record({
      type: "skills-suggested",
      skills: shortlist.skills.map(({ name }) => name),
      tokens: shortlist.tokens,
    });
  const stored = storedOf(invoked);
  const isNew = stored.length > 0 && !isSame(stored, told.findLast((one) => one.invoked !== undefined)?.invoked);
  const isTriggered = opened.triggered.length > 0 && !told.some((one) => one.triggered !== undefined);
  const hasNews = notice !== undefined || given.length > 0 || isNew || isTriggered;
  const events: ConversationEvent[] = [];
  if (last !== -1 && hasNews) {
    const marks = userMessages(messages).map(({ text }) => textMark(text));
    const noticed: StoredNotice = {
      message: marks.at(-1) ?? "",
      ...(marks.length > 1 && { after: marks.at(-2) }),
      position: marks.length - 1,
      ...(isNew && { invoked: stored }),
      ...(isTriggered && { triggered: opened.triggered.map(instructionsOf) }),
      ...(given.length > 0 && { given }),
      ...notice,
    };
    events.push({ type: "noticed", notice: noticed }, ...newInstructions(context, given));
  }
  const saving = context.commit(events);
  // Awaited below, unless reading instructions fails first.
  saving.catch(() => {});

  const all = placeNotices(memory.notices, messages);
  const [message, part] = [messages[last], parts[last]];
  if (message !== undefined && part !== undefined && (all.get(last)?.length ?? 0) > (before.get(last)?.length ?? 0))
    parts[last] = await repeatMessage(context, message, all.get(last) ?? [], opened, held.slice(0, last), signal);
  await saving;
  return {
    messages: messages.map((one, index) => toSent(one, parts[index])),
    notices: [...all.values()].flat(),
    invoked,
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

/** Activates the skills that a new message invokes or, if it invokes none, those that it triggers. */
async function openSkills(
  context: Conversation,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<OpenedSkills & Pick<TriggeredSkills, "suggested">> {
  const invoked = await invokeSkills(context, message, notices, held, signal);
  if (invoked.length > 0) return { invoked, triggered: [], suggested: [] };
  const { activations, suggested } = await triggerSkills(context, message, notices, held, signal);
  return { invoked, triggered: activations, suggested };
}

/** Returns a message with its notices. The instructions of the opened skills now come first. */
async function repeatMessage(
  context: Conversation,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  opened: OpenedSkills,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LeadingTexts> {
  const { before, words } =
    leadingOf(message, opened) ?? (await repeatLeading(context, message, notices, held, signal));
  const texts = [...before];
  for (const notice of notices) {
    if (isSent(notice, message.text)) continue;
    const { text } = notice;
    const given = notice.given?.filter(({ name }) => context.memory.active.has(name)) ?? [];
    texts.push(...(text === undefined ? [] : [text]), ...(await recallAll(context, given, signal)));
  }
  return { before: texts, words };
}

/** Changed instructions that are sent again are the conversation's current ones. */
function newInstructions({ memory }: Conversation, given: readonly StoredInstructions[]): readonly ConversationEvent[] {
  return given.flatMap(({ name, digest }) => {
    const active = memory.active.get(name);
    return active === undefined ? [] : [{ type: "activated", skill: { ...active, digest }, tokens: 0 }];
  });
}

/** Whether a message that is sent again has its suggestions. */
function isShortlisted(notices: readonly StoredNotice[] = []): boolean {
  return notices.some(({ shortlisted }) => shortlisted !== undefined);
}

/** Whether two lists have the same instructions. */
function isSame(stored: readonly StoredInstructions[], other: readonly StoredInstructions[] = []): boolean {
  const keyOf = ({ name, digest }: StoredInstructions): string => `${name}\0${digest}`;
  return stored.map(keyOf).join() === other.map(keyOf).join();
}

function textOfParts({ before, words }: LeadingTexts): string {
  return joined(before, words).join("\n\n");
}

function joined(before: readonly string[], words: string): readonly string[] {
  return words === "" ? before : [...before, words];
}

function toSent(message: TurnMessage, parts: LeadingTexts | undefined): SentMessage {
  if (parts === undefined || (parts.before.length === 0 && parts.words === message.text)) return message;
  return sentMessage(message, parts.before, parts.words);
}
