import type { ConversationEvent } from "../conversation/reduce.ts";
import type { StoredCatalog, StoredInstructions, StoredNotice } from "../conversation/state.ts";
import type { LedgerEvent } from "../session/ledger.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { Skill } from "../skill/skill.ts";
import { type GoneOptions, withoutGone } from "./gone-texts.ts";
import { type EarlierInstructions, instructionsOf, invokedIn, type OpenedSkills, storedOf } from "./leading-texts.ts";
import { type EarlierTexts, repeatMessages, toSent, withNotices } from "./messages.ts";
import { type NoticeOptions, noticeOf } from "./notices.ts";
import { lastAsked, placeNotices, placeOfLast } from "./place-notices.ts";
import { renderShortlist } from "./suggest-skills.ts";
import type { InvokedSkill, SentMessage, TurnMessage } from "./turn.ts";

/** What has to be read, asked for or searched before a request can be composed. */
export interface Gathered {
  /** The instructions that earlier messages contained. */
  readonly texts: EarlierTexts;
  /** The skills that the new message opened. */
  readonly opened: OpenedSkills;
  /** The instructions of active skills that no message contained. */
  readonly lost: ReadonlyMap<StoredInstructions, string>;
  /** Skills that fit the new message and that the catalog does not describe. */
  readonly fitting: readonly Skill[];
}

export interface ComposeOptions extends GoneOptions, Pick<NoticeOptions, "catalog" | "rules"> {
  /** The catalog that the model sees. */
  readonly shown: StoredCatalog;
}

/** The content of a request, and what sending it changes. */
export interface Composed {
  readonly instructions: string;
  readonly messages: readonly SentMessage[];
  readonly invoked: readonly InvokedSkill[];
  /** The notices that are in the messages. */
  readonly notices: readonly StoredNotice[];
  /** What happens to the state, and what the ledger records. */
  readonly events: readonly ConversationEvent[];
  readonly recorded: readonly LedgerEvent[];
  /** Instructions that another turn added after this one gathered. The messages lack them until they are read. */
  readonly unread: readonly EarlierInstructions[];
}

/** Composes a request: the messages exactly as they were sent before, and the last one with what is new. */
export function compose(
  snapshot: Snapshot,
  messages: readonly TurnMessage[],
  { texts, opened, lost, fitting }: Gathered,
  options: ComposeOptions,
): Composed {
  const { shown, catalog, rules } = options;
  const { last, isAsked } = lastAsked(messages);
  const placed = placeNotices(snapshot.state.notices, messages);
  const before = [...placed.values()].flat();
  const told = placed.get(last) ?? [];
  const { parts, held, unread } = repeatMessages(messages, placed, snapshot, texts, opened);
  const given = notHeld(held, lost, snapshot);
  const isSuggested = told.some(({ suggested }) => suggested !== undefined);
  const isShortlisted = told.some(({ shortlisted }) => shortlisted !== undefined);
  const shortlist = isShortlisted ? undefined : renderShortlist(snapshot, fitting, catalog);
  const suggested = isSuggested ? [] : opened.suggested;
  const noticing = { catalog, rules, given: given.map(({ name }) => name), suggested, shortlist };
  const { notice, offered = [] } = isAsked ? noticeOf(snapshot, shown, before, noticing) : {};
  const news = { ...openedNow(opened, told), ...(given.length > 0 && { given }), ...notice };
  const isNews = last !== -1 && Object.keys(news).length > 0;
  const noticed: readonly StoredNotice[] = isNews ? [{ ...placeOfLast(messages), ...news }] : [];
  const sent = messages.map((message, index) => {
    const own = parts[index] ?? { before: [], words: message.text };
    const find = ({ stored }: EarlierInstructions) => lost.get(stored);
    return toSent(message, index === last ? withNotices(own, message, noticed, find) : own);
  });
  return {
    instructions: shown.text === "" ? "" : `${shown.text}\n\n${rules}`,
    messages: withoutGone(snapshot, sent, options),
    invoked: opened.invoked,
    notices: [...before, ...noticed],
    events: noticed.flatMap((one) => [{ type: "noticed", notice: one }, ...renewed(snapshot, given)]),
    recorded: [...offered, ...(shortlist === undefined ? [] : [shortlist.event])],
    unread,
  };
}

/** Returns the instructions of active skills that none of the texts contains. */
export function notHeld(
  held: readonly string[],
  lost: Gathered["lost"],
  { active, given }: Pick<Snapshot, "active" | "given">,
): readonly StoredInstructions[] {
  const isHeld = (instructions: string): boolean => held.some((text) => text.includes(instructions));
  return [...lost].flatMap(([stored, text]) =>
    active.has(stored.name) && ![text, ...given.of(stored.name)].some(isHeld) ? [stored] : [],
  );
}

/** Returns what a message opened, unless its notices have it. A message can be sent again, and answered again. */
function openedNow({ invoked, triggered }: OpenedSkills, told: readonly StoredNotice[]): Partial<StoredNotice> {
  const stored = storedOf(invoked);
  const isNew = stored.length > 0 && !isSame(stored, invokedIn(told));
  const isTriggered = triggered.length > 0 && !told.some((one) => one.triggered !== undefined);
  return { ...(isNew && { invoked: stored }), ...(isTriggered && { triggered: triggered.map(instructionsOf) }) };
}

/** Changed instructions that are sent again are the conversation's current ones. */
function renewed({ active }: Snapshot, given: readonly StoredInstructions[]): readonly ConversationEvent[] {
  return given.flatMap(({ name, digest }) => {
    const known = active.get(name);
    return known === undefined ? [] : [{ type: "activated", skill: { ...known, digest }, tokens: 0 }];
  });
}

/** Whether two lists have the same instructions. */
function isSame(stored: readonly StoredInstructions[], other: readonly StoredInstructions[]): boolean {
  const keyOf = ({ name, digest }: StoredInstructions): string => `${name}\0${digest}`;
  return stored.map(keyOf).join() === other.map(keyOf).join();
}
