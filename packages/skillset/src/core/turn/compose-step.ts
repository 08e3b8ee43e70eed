import type { StoredNotice } from "../conversation/state.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { type Composed, type ComposeOptions, type Gathered, notHeld } from "./compose.ts";
import { withoutGone } from "./gone-texts.ts";
import { toSent } from "./messages.ts";
import { noticeOf } from "./notices.ts";
import { isSent } from "./place-notices.ts";
import type { TurnMessage } from "./turn.ts";

/** Composes the next request of a loop: restores the instructions and the notices that the host's messages have lost. */
export function composeStep(
  snapshot: Snapshot,
  messages: readonly TurnMessage[],
  lost: Gathered["lost"],
  { instructions, notices }: Pick<Composed, "instructions" | "notices">,
  options: ComposeOptions,
): Pick<Composed, "messages" | "recorded"> {
  const given = notHeld(heldIn(instructions, messages), lost, snapshot);
  const { notice, offered = [] } = noticeAgain(snapshot, messages, notices, options);
  const inserted = [...given.map((one) => lost.get(one)), notice?.text].filter((text) => text !== undefined);
  const last = inserted.length === 0 ? -1 : messages.findLastIndex(({ role }) => role === "user");
  const sent = messages.map((message, index) =>
    index === last ? toSent(message, { before: inserted, words: message.text }) : message,
  );
  return { messages: withoutGone(snapshot, sent, options), recorded: offered };
}

/** The texts of a request. */
export function heldIn(instructions: string, messages: readonly TurnMessage[]): readonly string[] {
  return [instructions, ...messages.map(({ text }) => text)];
}

/** Returns a notice of what the messages have lost. Returns none if they have every notice. */
function noticeAgain(
  snapshot: Snapshot,
  messages: readonly TurnMessage[],
  notices: readonly StoredNotice[],
  options: ComposeOptions,
): ReturnType<typeof noticeOf> {
  const left = notices.filter((one) => one.text === undefined || messages.some(({ text }) => isSent(one, text)));
  return left.length === notices.length ? {} : noticeOf(snapshot, options.shown, left, options);
}
