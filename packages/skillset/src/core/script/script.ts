/** Runs scripts on a machine, with a certain strength of containment. */
export interface ScriptRunner {
  /**
   * What contains a script: `bubblewrap`, `embedded`, or `subprocess` for nothing. Every result contains it. Another
   * runner uses its own name.
   */
  readonly level: string;
  /** Tests on this machine what the runner promises. Returns what does not work, and undefined if everything does. */
  check(): Promise<string | undefined>;
  /** Runs one script to its end. Every process that it started is dead when the promise settles. Never rejects. */
  run(job: ScriptJob): Promise<ScriptEnd>;
}

/** One script to run. */
export interface ScriptJob {
  /** A copy of the skill without links. The script must not change it. It is the script's working directory. */
  readonly skillFolder: string;
  /** A private folder that the script may write to. */
  readonly outputFolder: string;
  /** The path of the script within the skill. */
  readonly script: string;
  /** The arguments. `$OUTPUT_DIR` and `$SKILL_DIR` in them become the folders as the script sees them. */
  readonly args: readonly string[];
  /** What the script reads from stdin. */
  readonly stdin?: string;
  readonly limits: ScriptLimits;
  readonly signal: AbortSignal;
  /** Called with decoded output while the script runs. */
  onOutput(output: ScriptOutput): void;
}

export interface ScriptOutput {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export interface ScriptLimits {
  /**
   * How long a script may run, in milliseconds.
   * @default 60000
   */
  readonly time: number;
  /**
   * How many bytes it may write to stdout, and to stderr.
   * @default 1000000
   */
  readonly output: number;
  /**
   * How many bytes of memory all its processes may use together. Measured every 50 ms, so it may be exceeded briefly.
   * @default 536870912
   */
  readonly memory: number;
  /**
   * How many processes and threads it may have at a time.
   * @default 64
   */
  readonly processes: number;
  /**
   * How many bytes of files it may keep.
   * @default 100000000
   */
  readonly files: number;
}

/** How a script ended, as its runner reports it. */
export type ScriptEnd = ScriptExited | ScriptStopped | ScriptRefused;

interface Ran {
  /** The program and its arguments, as the script's system sees them. */
  readonly command: readonly string[];
  /** Decoded, without control sequences. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface ScriptExited extends Ran {
  readonly outcome: "exited";
  /** 128 and the number of the signal if a signal ended it. */
  readonly exitCode: number;
}

/** The script was stopped at a limit or by its caller. */
export interface ScriptStopped extends Ran {
  readonly outcome: "timed-out" | "output-limit" | "memory-limit" | "process-limit" | "aborted";
}

/** The script was not started. */
export interface ScriptRefused {
  readonly outcome: "refused";
  /** One sentence that a model may read. */
  readonly reason: string;
}

/** The result of `session.run()`. */
export type ScriptResult = ScriptEnd & ScriptRun;

interface ScriptRun {
  readonly skill: string;
  readonly script: string;
  /** What contained the script. */
  readonly level: string;
  readonly milliseconds: number;
  /** The value that the script printed, if all of stdout is JSON. */
  readonly json?: unknown;
  /** The files that this run created or changed, in the conversation's output folder. */
  readonly files: readonly ScriptFile[];
  /** Files that were removed because of a limit or their kind, with the reason. */
  readonly droppedFiles: readonly { readonly path: string; readonly reason: string }[];
}

export interface ScriptFile {
  /** The path within the output folder. */
  readonly path: string;
  readonly size: number;
}

/** Decides whether a skill's scripts may run. Asked before the first run of a skill's version in a session. */
export type ScriptConsent = (request: ConsentRequest) => ConsentAnswer | Promise<ConsentAnswer>;

/** What somebody is asked to allow. */
export interface ConsentRequest {
  /** The skill's name. */
  readonly skill: string;
  /** The digest of the whole skill. An answer is valid for this version only. */
  readonly digest: string;
  /** The script, or the module of a toolset. */
  readonly script: string;
  readonly args: readonly string[];
  readonly input?: unknown;
  /** Texts that are written to the output folder before the script starts, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A toolset to load, or one of its tools to call. Undefined for a script. */
  readonly toolset?: { readonly name: string; readonly tool?: string };
  readonly level: string;
  /** Aborted when nobody waits for the answer anymore. */
  readonly signal: AbortSignal;
}

/**
 * `once` allows this run, `always` all runs of this version of the skill in the session, and `deny` none. A denial may
 * say why; the model may read the reason.
 */
export type ConsentAnswer = "once" | "always" | "deny" | { readonly deny: string };

/** What a host does while scripts run. A session overrides the skillset's functions, and a call the session's. */
export interface ScriptHooks {
  /** Decides whether a skill's scripts may run. Without it, none may. */
  readonly consent?: ScriptConsent;
  /**
   * Under `allowedTools: "enforce"`, runs a trusted skill's scripts without consent if its `allowed-tools` cover them.
   * @default true
   */
  readonly grants?: boolean;
  /** Called with output while a script runs. */
  readonly onOutput?: (output: ScriptOutput & { readonly skill: string; readonly script: string }) => void;
}
