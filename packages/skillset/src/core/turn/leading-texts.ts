import type { StoredInstructions, StoredNotice } from "../conversation/state.ts";
import { type Activation, renderAlreadyActive } from "../session/activation.ts";
import { stripNames } from "../session/invocation.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { isSent } from "./place-notices.ts";
import type { InvokedSkill, TurnMessage } from "./turn.ts";

/** The parts of a message: what the library inserts, followed by the user's words. */
export interface MessageParts {
  readonly before: readonly string[];
  readonly words: string;
}

/** The skills that a new message opened. */
export interface OpenedSkills {
  readonly invoked: readonly InvokedSkill[];
  readonly triggered: readonly Activation[];
  /** Names of skills that the message triggers and that the notice suggests. */
  readonly suggested: readonly string[];
}

/** Instructions that a message contained in an earlier request. */
export interface EarlierInstructions {
  readonly stored: StoredInstructions;
  /** What the user wrote after the skill's name. */
  readonly words?: string | undefined;
  /** They came with a notice: the model is told if they cannot be read. */
  readonly isGiven?: boolean;
}

/** Returns the text of instructions. Undefined for those that cannot be read, or that are not active any more. */
export type FindText = (earlier: EarlierInstructions) => string | undefined;

/** Returns the instructions that a new message starts with. They replace the names of invoked skills. */
export function openedParts({ text }: TurnMessage, { invoked, triggered }: OpenedSkills): MessageParts | undefined {
  const activations = [...invoked.map(({ activation }) => activation), ...triggered];
  if (activations.length === 0) return undefined;
  return { before: activations.map((activation) => activation.text), words: invoked[0]?.arguments ?? text };
}

/** Returns what a message started with in an earlier request. Skips skills that are not active any more. */
export function earlierParts(
  { text: message }: TurnMessage,
  notices: readonly StoredNotice[],
  { active, invocationPrefix }: Snapshot,
  find: FindText,
  held: readonly string[],
): MessageParts {
  const repeat = (all: readonly StoredInstructions[], words?: string): readonly string[] =>
    all.flatMap((stored) => {
      const text = find({ stored, words: stored.arguments ?? words });
      return (active.has(stored.name) ? repeatText(stored, text, held) : undefined) ?? [];
    });
  const invoked = message.startsWith(invocationPrefix) ? invokedIn(notices) : [];
  const isInvoked = (name: string): boolean => active.has(name) && invoked.some((one) => one.name === name);
  const words = stripNames(message, invocationPrefix, isInvoked);
  const before = repeat(invoked, words);
  return before.length > 0 ? { before, words } : { before: repeat(triggeredIn(notices, message)), words: message };
}

/** Returns instructions as a message repeats them: one request has them once. */
export function repeatText(
  { name, repeated }: StoredInstructions,
  text: string | undefined,
  held: readonly string[],
): string | undefined {
  const isHeld = repeated || (text !== undefined && held.some((one) => one.includes(text)));
  return isHeld ? renderAlreadyActive(name) : text;
}

/** Returns what the notice of the message stores. */
export function storedOf(invoked: readonly InvokedSkill[]): readonly StoredInstructions[] {
  // One name can be told from its arguments later. Of several, some may be deactivated until then.
  const isSeveral = invoked.length > 1;
  return invoked.map(({ arguments: words, activation }) => ({
    ...instructionsOf(activation),
    ...(isSeveral && { arguments: words }),
  }));
}

export function instructionsOf({ name, digest, changed, alreadyActive }: Activation): StoredInstructions {
  return { name, digest, changed, ...(alreadyActive && { repeated: true }) };
}

/** The skills that a message triggered in an earlier request. Empty if the host stored the message as it was sent. */
export function triggeredIn(notices: readonly StoredNotice[], message: string): readonly StoredInstructions[] {
  const stored = notices.findLast(({ triggered }) => triggered !== undefined);
  return stored === undefined || isSent(stored, message) ? [] : (stored.triggered ?? []);
}

/** The skills that a message invoked in an earlier request. */
export function invokedIn(notices: readonly StoredNotice[]): readonly StoredInstructions[] {
  return notices.findLast(({ invoked }) => invoked !== undefined)?.invoked ?? [];
}
