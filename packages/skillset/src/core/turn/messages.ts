import type { StoredInstructions, StoredNotice } from "../conversation/state.ts";
import type { Snapshot } from "../session/snapshot.ts";
import {
  type EarlierInstructions,
  earlierParts,
  type FindText,
  type MessageParts,
  type OpenedSkills,
  openedParts,
} from "./leading-texts.ts";
import { isSent, type PlacedNotices } from "./place-notices.ts";
import type { SentMessage, TurnMessage } from "./turn.ts";

/** The texts of instructions that earlier messages contained. Undefined for those that are not available any more. */
export type EarlierTexts = ReadonlyMap<StoredInstructions, string | undefined>;

/**
 * Returns all messages as earlier requests contained them, and the last one with what it opened. `unread` are instructions
 * whose texts are missing.
 */
export function repeatMessages(
  messages: readonly TurnMessage[],
  placed: PlacedNotices,
  snapshot: Snapshot,
  texts: EarlierTexts,
  opened: OpenedSkills,
): {
  readonly parts: readonly MessageParts[];
  readonly held: readonly string[];
  readonly unread: EarlierInstructions[];
} {
  const held: string[] = [];
  const unread: EarlierInstructions[] = [];
  const find: FindText = (earlier) => {
    if (!texts.has(earlier.stored)) unread.push(earlier);
    return snapshot.active.has(earlier.stored.name) ? texts.get(earlier.stored) : undefined;
  };
  const parts = messages.map((message, index) => {
    const notices = placed.get(index) ?? [];
    const leading = index === messages.length - 1 ? openedParts(message, opened) : undefined;
    const own = leading ?? earlierParts(message, notices, snapshot, find, held);
    const noticed = withNotices(own, message, notices, find);
    held.push(textsOf(noticed).join("\n\n"));
    return noticed;
  });
  return { parts, held, unread };
}

/** Returns the parts of a message with the texts of these notices. */
export function withNotices(
  { before, words }: MessageParts,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  find: FindText,
): MessageParts {
  const added = notices
    .filter((notice) => !isSent(notice, message.text))
    .flatMap(({ text, given = [] }) => [text, ...given.map((stored) => find({ stored, isGiven: true }))]);
  return { before: [...before, ...added.filter((text) => text !== undefined)], words };
}

/** Returns the message as a model receives it. */
export function toSent(message: TurnMessage, parts: MessageParts): SentMessage {
  if (parts.before.length === 0 && parts.words === message.text) return message;
  const texts = textsOf(parts);
  return { role: message.role, text: texts.join("\n\n"), texts };
}

function textsOf({ before, words }: MessageParts): readonly string[] {
  return words === "" ? before : [...before, words];
}
