import { SkillError } from "../base/errors.ts";
import type { StoredCatalog, StoredInstructions } from "../conversation/state.ts";
import type { Conversation } from "../session/conversation.ts";
import { snapshotOf } from "../session/snapshot.ts";
import type { Skill } from "../skill/skill.ts";
import type { Gathered } from "./compose.ts";
import { findLost, readAll } from "./instructions.ts";
import type { OpenedSkills } from "./leading-texts.ts";
import { repeatMessages } from "./messages.ts";
import { NONE_OPENED, openSkills } from "./open-skills.ts";
import { lastAsked, placeNotices } from "./place-notices.ts";
import { findFitting, type SuggestOptions } from "./suggest-skills.ts";
import type { TurnMessage, TurnOptions } from "./turn.ts";

/**
 * Gathers what a request needs and the conversation does not know: the instructions of earlier messages, those of skills
 * that the new message opens, those that the messages have lost, and the skills that fit the new message.
 */
export async function gather(
  conversation: Conversation,
  messages: readonly TurnMessage[],
  shown: StoredCatalog,
  { suggest = false, signal }: Pick<TurnOptions, "suggest" | "signal">,
): Promise<Gathered> {
  const placed = placeNotices(conversation.memory.notices, messages);
  const { last, isAsked } = lastAsked(messages);
  const told = placed.get(last) ?? [];
  const texts = new Map<StoredInstructions, string | undefined>();
  /** Returns what the messages contained, after reading it. */
  const repeat = async (all: readonly TurnMessage[], opened: OpenedSkills): Promise<readonly string[]> => {
    const { held, unread } = repeatMessages(all, placed, snapshotOf(conversation), texts, opened);
    if (unread.length === 0) return held;
    for (const [stored, text] of await readAll(conversation, unread, signal)) texts.set(stored, text);
    return repeat(all, opened);
  };
  const asked = isAsked ? messages[last] : undefined;
  const before = asked === undefined ? [] : await repeat(messages.slice(0, last), NONE_OPENED);
  const opened = asked === undefined ? NONE_OPENED : await openSkills(conversation, asked, told, before, signal);
  const held = await repeat(messages, opened);
  const lost = await findLost(conversation, conversation.memory.active.keys(), held, signal);
  const isShortlisted = told.some(({ shortlisted }) => shortlisted !== undefined);
  if (!suggest || asked === undefined || opened.invoked.length > 0 || isShortlisted)
    return { texts, opened, lost, fitting: [] };
  const searching = { shown, notices: [...placed.values()].flat(), named: opened.suggested, signal };
  return { texts, opened, lost, fitting: await suggestSkills(conversation, asked, searching) };
}

/** Nobody asked for a suggestion, so a failure must not end the turn. */
async function suggestSkills(
  conversation: Conversation,
  message: TurnMessage,
  options: SuggestOptions,
): Promise<readonly Skill[]> {
  try {
    return await findFitting(snapshotOf(conversation), message, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    conversation.record({ type: "suggestion-failed", code: error instanceof SkillError ? error.code : "unexpected" });
    return [];
  }
}
