import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { ToolNames } from "../allowed-tools/judged-call.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import type { SessionStore } from "../conversation/store.ts";
import type { ScriptHooks } from "../script/script.ts";
import type { TokenCounter } from "../text/tokens.ts";
import type { SessionTelemetry } from "./telemetry.ts";

export interface SessionOptions {
  /**
   * The id of the session, and its key in the store.
   * @default a random UUID
   */
  readonly id?: string;
  /** Stores the session's state between requests and restarts. */
  readonly store?: SessionStore;
  /** Overrides single limits. */
  readonly limits?: Partial<SessionLimits>;
  /**
   * Shows the model the path of a skill's folder. Only for agents that can access it.
   * @default false
   */
  readonly showDirectory?: boolean;
  /**
   * The prefix of a message that invokes a skill by name.
   * @default "/"
   */
  readonly invocationPrefix?: string;
  /**
   * What skills with triggers do when a new message of the user matches: `activate` adds their instructions to the
   * message, `suggest` only names them in a notice.
   * @default "off"
   */
  readonly triggers?: TriggerMode;
  /**
   * Counts the tokens of a text.
   * @default estimateTokens
   */
  readonly countTokens?: TokenCounter;
  /** The maximum number of tokens for instructions. Further activations throw. Unlimited if omitted. */
  readonly budget?: { readonly tokens: number };
  /**
   * What `allowed-tools` of active skills does: nothing (`off`), records calls outside it (`log`), or denies them.
   * @default the skillset's
   */
  readonly allowedTools?: AllowedToolsPolicy;
  /**
   * Your names for tools, by the names that authors of skills write, such as `{ Bash: "shell" }`.
   * @default the skillset's
   */
  readonly toolNames?: ToolNames;
  /** Consent and live output for scripts, instead of the skillset's. */
  readonly scripts?: ScriptHooks;
  /** Observes every operation, like `skillset/opentelemetry`. */
  readonly telemetry?: SessionTelemetry;
}

export const TRIGGER_MODES = ["off", "activate", "suggest"] as const;
export type TriggerMode = (typeof TRIGGER_MODES)[number];

export interface SessionLimits {
  /**
   * The maximum size of instructions in bytes. Longer ones are cut.
   * @default 200000
   */
  readonly skillMdBytes: number;
  /**
   * The maximum size of a file in bytes. Longer ones are cut.
   * @default 2000000
   */
  readonly resourceBytes: number;
  /**
   * The maximum size in bytes of a binary or data file that is sent as a file. Larger ones are refused.
   * @default 3750000
   */
  readonly fileBytes: number;
  /**
   * How many file names an activation lists.
   * @default 50
   */
  readonly listedFiles: number;
  /**
   * The timeout of a skill's tool, in milliseconds.
   * @default 120000
   */
  readonly toolTimeout: number;
}

export interface ActivateOptions {
  /**
   * Who activates the skill.
   * @default "model"
   */
  readonly by?: ActivatedBy;
  /** The words after the skill's name, for `$ARGUMENTS` and the other placeholders. */
  readonly arguments?: string;
  /** Aborts the activation. */
  readonly signal?: AbortSignal;
}

/** The text of one of a skill's files. */
export interface FileReading {
  readonly skill: string;
  readonly path: string;
  /** By the content. The name only distinguishes kinds of text. */
  readonly mediaType: string;
  readonly content: string;
  readonly truncated: boolean;
  readonly bytes: number;
}

/** One of a skill's files, with all of its bytes. */
export interface FileContent {
  readonly skill: string;
  readonly path: string;
  /** By the content; `application/octet-stream` for unknown content. */
  readonly mediaType: string;
  readonly bytes: number;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  readonly data: Uint8Array;
}

export interface Operation {
  /** Aborts the operation. */
  readonly signal?: AbortSignal;
}
