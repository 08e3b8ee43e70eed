import type { SessionState, StoredActivation } from "../conversation/state.ts";
import type { TokenCounter } from "../text/tokens.ts";
import type { Conversation, SessionSkills } from "./conversation.ts";
import type { GivenTexts } from "./given-texts.ts";
import type { LedgerEntry } from "./ledger.ts";

/** A conversation as values. What is computed from it needs no session and changes nothing. Use it before the next await. */
export interface Snapshot {
  readonly state: SessionState;
  /** The active skills, in activation order, without those that are disabled or deleted. */
  readonly active: ReadonlyMap<string, StoredActivation>;
  readonly skillset: SessionSkills;
  /** The texts that the conversation received. */
  readonly given: Pick<GivenTexts, "of">;
  readonly ledger: readonly LedgerEntry[];
  readonly countTokens: TokenCounter;
  readonly invocationPrefix: string;
}

export function snapshotOf({ memory, skillset, resources, settings }: Conversation): Snapshot {
  const { state, active } = memory;
  const { given, ledger } = resources;
  const { countTokens, invocationPrefix } = settings;
  return { state, active, skillset, given, ledger: ledger.entries, countTokens, invocationPrefix };
}
