import { oneAfterTheOther } from "../base/in-order.ts";
import { GivenTexts } from "./given-texts.ts";
import { Ledger } from "./ledger.ts";
import type { LoadedToolsets } from "./load-toolsets.ts";
import { ReadRules } from "./read-rules.ts";
import { SessionSecrets } from "./session-secrets.ts";

/** What a conversation has only while the process runs. It is never stored, so a forged state grants nothing. */
export class Resources {
  readonly ledger = new Ledger();
  /** The texts that the model received. */
  readonly given = new GivenTexts();
  /** The versions of skills whose scripts may run without asking again. */
  readonly consented = new Set<string>();
  /** The content of trusted skills when the session started: only that may run without a question. */
  readonly pinned = new Map<string, string>();
  readonly secrets = new SessionSecrets();
  readonly readRules = new ReadRules();
  /** The toolsets of each version of a skill that were loaded. */
  readonly toolsets = new Map<string, LoadedToolsets>();
  /** The active skills whose absence is in the ledger. */
  readonly missing = new Set<string>();
  /** What is in the ledger, and is recorded only once. */
  readonly reported = new Set<string>();
  /** Runs one script after the other: they share a folder. */
  readonly runInOrder = oneAfterTheOther();
  /** Loads one skill's toolsets after the other, so that nothing is loaded twice. */
  readonly loadInOrder = oneAfterTheOther();
}
