import { openTag, renderStub } from "./activation.ts";
import type { CatalogBudget } from "./catalog.ts";
import { SkillError } from "./errors.ts";
import { estimateTokens, type TokenCounter } from "./tokens.ts";

/** A message in no SDK's shape. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** Messages of one group, such as a tool call and its result, are kept or dropped together. */
  readonly group?: string;
}

export interface CompactOptions {
  /** The active skills, and the text that their activation gives. */
  readonly active: readonly { readonly name: string; readonly text: string }[];
  readonly budget: CatalogBudget;
  readonly countTokens?: TokenCounter;
}

export interface Compacted {
  readonly messages: readonly Message[];
  /** Skills whose instructions were put in again. */
  readonly injected: readonly string[];
  /** Skills whose instructions did not fit; a stub names each. */
  readonly stubbed: readonly string[];
  /** How many messages were dropped. */
  readonly dropped: number;
}

/**
 * Shortens a history to a budget: the newest messages stay, and the instructions of every active skill, or a stub that
 * names it, are in it exactly once. The messages at the start with the role `system`, and the last one, always stay.
 */
export function compact(
  messages: readonly Message[],
  { active, budget, countTokens = estimateTokens }: CompactOptions,
): Compacted {
  const measure = "tokens" in budget ? countTokens : (text: string): number => text.length;
  const limit = "tokens" in budget ? budget.tokens : budget.characters;
  const cost = (list: readonly Message[]): number =>
    list.reduce((sum, { content }) => sum + measure(content) + OVERHEAD, 0);

  const whole = injectMissing(messages, active);
  if (cost(whole.messages) <= limit) return whole;

  const { head, middle, last } = split(messages.map((message) => withoutInstructions(message, active)));
  let room = limit - cost([...head, ...last]);
  const stubs = active.map(({ name }) => systemMessage(renderStub(name)));
  room -= cost(stubs);
  if (room < 0) {
    throw new SkillError(
      "option-invalid",
      `The budget of ${limit} is too small: what must stay takes ${limit - room}.`,
    );
  }

  const instructions = [...stubs];
  const stubbed = new Set(active.map(({ name }) => name));
  // The skill that was activated last is most likely the one in use.
  for (let index = active.length - 1; index >= 0; index--) {
    const skill = active[index] as (typeof active)[number];
    const message = systemMessage(skill.text);
    const extra = cost([message]) - cost([stubs[index] as Message]);
    if (extra > room) continue;
    room -= extra;
    instructions[index] = message;
    stubbed.delete(skill.name);
  }

  const kept: Message[] = [];
  for (const group of groupsFromTheEnd(middle)) {
    room -= cost(group);
    if (room < 0) break;
    kept.unshift(...group);
  }
  return {
    messages: [...head, ...instructions, ...kept, ...last],
    injected: active.map(({ name }) => name).filter((name) => !stubbed.has(name)),
    stubbed: [...stubbed],
    dropped: middle.length - kept.length,
  };
}

/** What a message costs beside its text. */
const OVERHEAD = 4;

/** The history as it is when every active skill is in it once; otherwise with those put in that are not. */
function injectMissing(messages: readonly Message[], active: CompactOptions["active"]): Compacted {
  const asGiven = active.filter(({ name, text }) => {
    const all = messages.reduce((sum, { content }) => sum + occurrences(content, openTag(name)), 0);
    return all === 1 && messages.some(({ content }) => content.includes(text));
  });
  const missing = active.filter((skill) => !asGiven.includes(skill));
  const { head, middle, last } = split(messages.map((message) => withoutInstructions(message, missing)));
  return {
    messages: [...head, ...missing.map(({ text }) => systemMessage(text)), ...middle, ...last],
    injected: missing.map(({ name }) => name),
    stubbed: [],
    dropped: 0,
  };
}

/** Replaces a skill's instructions, of whatever version, by a sentence. */
function withoutInstructions(message: Message, skills: CompactOptions["active"]): Message {
  let { content } = message;
  for (const { name } of skills) {
    const start = openTag(name);
    for (let at = content.indexOf(start); at !== -1; at = content.indexOf(start)) {
      const close = content.indexOf(CLOSE_TAG, at);
      const end = close === -1 ? content.length : close + CLOSE_TAG.length;
      content = `${content.slice(0, at)}[The instructions of skill '${name}' stand above.]${content.slice(end)}`;
    }
  }
  return content === message.content ? message : { ...message, content };
}

const CLOSE_TAG = "</skill_content>";

function split(messages: readonly Message[]): {
  head: readonly Message[];
  middle: readonly Message[];
  last: readonly Message[];
} {
  const firstOther = messages.findIndex(({ role }) => role !== "system");
  const start = firstOther === -1 ? messages.length : firstOther;
  const end = Math.max(start, messages.length - 1);
  return { head: messages.slice(0, start), middle: messages.slice(start, end), last: messages.slice(end) };
}

/** Neighbours of one group together, the newest first. */
function* groupsFromTheEnd(messages: readonly Message[]): Generator<readonly Message[]> {
  for (let end = messages.length; end > 0; ) {
    let start = end - 1;
    const { group } = messages[start] as Message;
    while (group !== undefined && start > 0 && messages[start - 1]?.group === group) start--;
    yield messages.slice(start, end);
    end = start;
  }
}

function systemMessage(content: string): Message {
  return { role: "system", content };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
