import type { TokenCounter } from "../text/tokens.ts";
import type { ActivatedBy } from "./ledger.ts";
import type { SessionStore } from "./store.ts";
import type { SessionTelemetry } from "./telemetry.ts";

export interface SessionOptions {
  /** Names the conversation in the store. */
  readonly id?: string;
  /** Remembers, between requests and restarts, which skills are active. */
  readonly store?: SessionStore;
  readonly limits?: Partial<SessionLimits>;
  /** Show the model where a skill's folder is; only for agents that can use it. */
  readonly showDirectory?: boolean;
  /**
   * What a message starts with that invokes a skill by name.
   * @default "/"
   */
  readonly invocationPrefix?: string;
  /** How tokens are counted; an estimate by default. */
  readonly countTokens?: TokenCounter;
  /** The most that the instructions of skills may take in this conversation; further activations are refused. */
  readonly budget?: { readonly tokens: number };
  /** Follows every operation, as `skillset/opentelemetry` does. */
  readonly telemetry?: SessionTelemetry;
}

export interface SessionLimits {
  /** Instructions are cut at so many bytes. */
  readonly skillMdBytes: number;
  /** Files are cut at so many bytes. */
  readonly resourceBytes: number;
  /** How many file names an activation lists. */
  readonly listedFiles: number;
  /** How long a skill's tool may take, in milliseconds. */
  readonly toolTimeout: number;
}

export interface ActivateOptions {
  readonly by?: ActivatedBy;
  /** Fills `$ARGUMENTS`. */
  readonly arguments?: string;
  readonly signal?: AbortSignal;
}

/** The text of one of a skill's files. */
export interface FileReading {
  readonly skill: string;
  readonly path: string;
  readonly content: string;
  readonly truncated: boolean;
  readonly bytes: number;
}

export interface Operation {
  readonly signal?: AbortSignal;
}
