import type { StoredNotice } from "../conversation/state.ts";
import { textMark } from "../skill/fingerprint.ts";
import type { TurnMessage } from "./turn.ts";

/** The notices of earlier requests, by the index of their message. */
export type PlacedNotices = ReadonlyMap<number, readonly StoredNotice[]>;

/** Finds the message of each notice. A notice whose message was dropped or edited is left out. */
export function placeNotices(notices: readonly StoredNotice[], messages: readonly TurnMessage[]): PlacedNotices {
  const placed = new Map<number, StoredNotice[]>();
  if (notices.length === 0) return placed;
  const asked = userMessages(messages);
  const marks = asked.map(({ text }) => textMark(text));
  // A new message never matches an earlier one, even with the same text.
  const newest = asked.at(-1)?.index === messages.length - 1 ? asked.length - 1 : asked.length;
  let from = 0;
  for (const notice of notices) {
    const isAt = (position: number): boolean => {
      if (position < from) return false;
      // The message before it may have been dropped.
      const follows = position === 0 || notice.after === undefined || marks[position - 1] === notice.after;
      return isSent(notice, asked[position]?.text) || (follows && marks[position] === notice.message);
    };
    const isMoved = (_: unknown, position: number): boolean => position !== newest && isAt(position);
    const position = isAt(notice.position) ? notice.position : asked.findIndex(isMoved);
    const index = asked[position]?.index;
    if (index === undefined) continue;
    from = position;
    placed.set(index, [...(placed.get(index) ?? []), notice]);
  }
  return placed;
}

/** Returns what finds the user's last message again in later requests. */
export function placeOfLast(messages: readonly TurnMessage[]): Pick<StoredNotice, "message" | "after" | "position"> {
  const asked = userMessages(messages);
  const [message = "", after] = asked
    .slice(-2)
    .reverse()
    .map(({ text }) => textMark(text));
  return { message, ...(after !== undefined && { after }), position: asked.length - 1 };
}

/**
 * Returns the index of the user's last message, and whether it is new. In a turn that continues, for example after a
 * tool's result, it is not.
 */
export function lastAsked(messages: readonly TurnMessage[]): { readonly last: number; readonly isAsked: boolean } {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return { last, isAsked: last !== -1 && last === messages.length - 1 };
}

/** Whether a message contains the notice: some hosts store messages as they were sent. */
export function isSent({ text }: StoredNotice, message = ""): boolean {
  return text !== undefined && message.includes(text);
}

/** Returns the user's messages with their indexes. */
function userMessages(messages: readonly TurnMessage[]) {
  return messages.flatMap(({ role, text }, index) => (role === "user" ? [{ index, text }] : []));
}
