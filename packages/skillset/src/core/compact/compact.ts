import { SkillError } from "../base/errors.ts";
import type { CatalogBudget } from "../catalog/catalog.ts";
import { CLOSE_TAG, openTag, renderStub } from "../session/activation.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import type { TurnMessage } from "../turn/turn.ts";

/** An SDK-neutral message. */
export interface HistoryMessage {
  readonly role: TurnMessage["role"];
  readonly content: string;
  /** Other content that the model reads, such as the arguments of calls. It counts towards the budget and never changes. */
  readonly extra?: string;
  /** What the files in the message cost. They count towards a budget of tokens only. */
  readonly fileTokens?: number;
  /** Messages of one group, such as a tool call and its result, are kept or dropped together. */
  readonly group?: string;
}

export interface CompactHistoryOptions {
  /** The active skills, each with the text of its activation. */
  readonly active: readonly { readonly name: string; readonly text: string }[];
  readonly budget: CatalogBudget;
  readonly countTokens?: TokenCounter;
  /**
   * What to do if the required messages alone exceed the budget: throw, or keep only those.
   * @default "throw"
   */
  readonly overflow?: "throw" | "allow";
}

export interface CompactedHistory {
  readonly messages: readonly HistoryMessage[];
  /** Skills whose instructions were inserted again. */
  readonly injected: readonly string[];
  /** Skills whose instructions did not fit. A stub replaces each. */
  readonly stubbed: readonly string[];
  /** The number of dropped messages. */
  readonly dropped: number;
}

/**
 * Shortens a history to a budget. Keeps the newest messages, and exactly one copy of each active skill's instructions,
 * or a stub. Always keeps the leading `system` messages, and the last message with its group. Compacting a compacted
 * history changes nothing.
 */
export function compactHistory(messages: readonly HistoryMessage[], options: CompactHistoryOptions): CompactedHistory {
  const { active, budget, countTokens = estimateTokens, overflow = "throw" } = options;
  const measure = "tokens" in budget ? countTokens : (text: string): number => text.length;
  const limit = "tokens" in budget ? budget.tokens : budget.characters;
  const costOf = ({ content, extra, fileTokens = 0 }: HistoryMessage): number =>
    measure(content) + (extra ? measure(extra) : 0) + ("tokens" in budget ? fileTokens : 0) + OVERHEAD;
  const cost = (list: readonly HistoryMessage[]): number => list.reduce((sum, message) => sum + costOf(message), 0);

  const whole = injectMissing(messages, active);
  if (cost(whole.messages) <= limit) return whole;

  const { head, rest } = split(withoutInstructions(messages, active));
  const cuts = possibleCuts(rest);
  const shortest = active.map(({ name, text }) => {
    const [stub, full] = [systemMessage(renderStub(name)), systemMessage(text)];
    return cost([full]) <= cost([stub]) ? full : stub;
  });
  let start = cuts[0] ?? rest.length;
  let room = limit - cost([...head, ...shortest, ...rest.slice(start)]);
  if (room < 0 && overflow === "throw") {
    throw new SkillError(
      "option-invalid",
      `The budget of ${limit} is too small: the required messages take ${limit - room}.`,
    );
  }

  const instructions = [...shortest];
  // The most recently activated skill is most likely in use.
  for (const [index, { text }] of [...active.entries()].reverse()) {
    const full = systemMessage(text);
    const extra = cost([full]) - cost([shortest[index] as HistoryMessage]);
    if (extra > room) continue;
    room -= extra;
    instructions[index] = full;
  }
  for (const cut of cuts.slice(1)) {
    room -= cost(rest.slice(cut, start));
    if (room < 0) break;
    start = cut;
  }
  const isFull = active.map(({ text }, index) => instructions[index]?.content === text);
  const names = active.map(({ name }) => name);
  return {
    messages: [...head, ...instructions, ...rest.slice(start)],
    injected: names.filter((_, index) => isFull[index]),
    stubbed: names.filter((_, index) => !isFull[index]),
    dropped: start,
  };
}

/** The cost of a message besides its text. */
const OVERHEAD = 4;

type ActiveSkills = CompactHistoryOptions["active"];

/** Returns the history unchanged if it contains every active skill once. Otherwise inserts the missing ones. */
function injectMissing(messages: readonly HistoryMessage[], active: ActiveSkills): CompactedHistory {
  const missing = active.filter(({ name, text }) => {
    const all = messages.reduce((sum, { content }) => sum + occurrences(content, openTag(name)), 0);
    return all !== 1 || !messages.some(({ content }) => content.includes(text));
  });
  const { head, rest } = split(withoutInstructions(messages, missing));
  return {
    messages: [...head, ...missing.map(({ text }) => systemMessage(text)), ...rest],
    injected: missing.map(({ name }) => name),
    stubbed: [],
    dropped: 0,
  };
}

/** Removes all versions of the skills' instructions: inserted messages entirely, text within messages by a reference. */
function withoutInstructions(messages: readonly HistoryMessage[], skills: ActiveSkills): readonly HistoryMessage[] {
  return messages.flatMap((message) => {
    const isPutIn = ({ name }: { readonly name: string }): boolean =>
      message.content.startsWith(openTag(name)) && endOfBlock(message.content, 0) === message.content.length;
    if (message.role === "system" && skills.some(isPutIn)) return [];
    const content = removeInstructions(message.content, skills);
    return content === message.content ? [message] : [{ ...message, content }];
  });
}

/** Replaces the skills' instructions in a text with a reference to them. */
export function removeInstructions(text: string, skills: readonly { readonly name: string }[]): string {
  let content = text;
  for (const { name } of skills) {
    const tag = openTag(name);
    for (let at = content.indexOf(tag); at !== -1; at = content.indexOf(tag)) {
      const end = endOfBlock(content, at);
      // A tag without a closing tag is ordinary text and is kept.
      const reference = end === -1 ? `&lt;${tag.slice(1)}` : `[The instructions of skill '${name}' are above.]`;
      content = content.slice(0, at) + reference + content.slice(end === -1 ? at + tag.length : end);
    }
  }
  return content;
}

/** Returns where a block ends, or -1 if it never ends or the next block starts first. */
function endOfBlock(content: string, at: number): number {
  const close = content.indexOf(CLOSE_TAG, at);
  const next = content.indexOf("<skill_content", at + 1);
  return close === -1 || (next !== -1 && next < close) ? -1 : close + CLOSE_TAG.length;
}

function split(messages: readonly HistoryMessage[]): {
  head: readonly HistoryMessage[];
  rest: readonly HistoryMessage[];
} {
  const first = messages.findIndex(({ role }) => role !== "system");
  const start = first === -1 ? messages.length : first;
  return { head: messages.slice(0, start), rest: messages.slice(start) };
}

/** Returns where a history may be cut without splitting a group, latest first. The last message always stays. */
function possibleCuts(messages: readonly HistoryMessage[]): number[] {
  const firstOf = new Map<string, number>();
  for (const [index, { group }] of messages.entries()) {
    if (group !== undefined && !firstOf.has(group)) firstOf.set(group, index);
  }
  const cuts: number[] = [];
  let reach = messages.length - 1;
  for (let index = messages.length - 1; index >= 0; index--) {
    const { group } = messages[index] as HistoryMessage;
    reach = Math.min(reach, group === undefined ? index : (firstOf.get(group) ?? index));
    if (reach === index) cuts.push(index);
  }
  return cuts;
}

function systemMessage(content: string): HistoryMessage {
  return { role: "system", content };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
