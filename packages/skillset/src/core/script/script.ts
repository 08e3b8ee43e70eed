import type { DeclaredPackages, PackageRegistries } from "./packages.ts";

/** Runs scripts on a machine, with a certain strength of containment. */
export interface ScriptRunner {
  /**
   * What contains a script: `bubblewrap`, `container`, `sandbox-runtime`, `embedded`, or `subprocess` for nothing. Every
   * result contains it. Another runner uses its own name.
   */
  readonly level: string;
  /** Tests on this machine what the runner promises. Returns what does not work, and undefined if everything does. */
  check(): Promise<string | undefined>;
  /** Runs one script to its end. Every process that it started is dead when the promise settles. Never rejects. */
  run(job: ScriptJob): Promise<ScriptEnd>;
  /**
   * Returns why a script cannot run, such as a language that is unknown or not installed. Called before anybody is asked
   * for consent. Undefined if it can run, or if that is not known yet.
   */
  cannotRun?(job: Pick<ScriptJob, "skillFolder" | "script">): Promise<string | undefined>;
  /**
   * Identifies what installed packages depend on, such as the version of Python. A runner without it does not use
   * prepared packages.
   */
  platform?(language: PackageLanguage): Promise<string>;
  /**
   * Installs packages into a folder, contained like a script, with access to the registries alone. A runner without it
   * refuses to prepare skills. Never rejects.
   */
  prepare?(job: PrepareJob): Promise<ScriptEnd>;
}

export type PackageLanguage = "python" | "javascript";

/** Packages to install. */
export interface PrepareJob extends PackageRegistries {
  /** Requirements for pip, one for each package, such as `requests>=2.31`. */
  readonly python: readonly string[];
  /** Packages of npm, such as `left-pad@^1.3.0`. */
  readonly npm: readonly string[];
  /** An empty folder for the packages: `python` for those of Python, `node_modules` for those of npm. */
  readonly packagesFolder: string;
  readonly limits: ScriptLimits;
  readonly signal: AbortSignal;
  /** Called with decoded output of the installer. */
  onOutput(output: ScriptOutput): void;
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
  /**
   * Variables for this script alone, such as the keys that its skill names. They may be secrets: a runner passes them to
   * the script in its environment, and neither logs them nor puts them on a command line.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder with packages that were prepared for this skill. The script finds them, and must not change them. */
  readonly packagesFolder?: string;
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
  /** Files that the runner did not put into the output folder, because of a limit or their kind. */
  readonly droppedFiles?: readonly DroppedFile[];
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

/** The result of `session.scripts.run()`. */
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
  /** One sentence for a script that failed because packages of its skill are not installed. */
  readonly hint?: string;
  /** Files that were removed because of a limit or their kind, with the reason. */
  readonly droppedFiles: readonly DroppedFile[];
}

interface DroppedFile {
  readonly path: string;
  readonly reason: string;
}

export interface ScriptFile {
  /** The path within the output folder. */
  readonly path: string;
  readonly size: number;
}

/**
 * Decides whether a skill's scripts may run, or its packages be installed. Asked before the first run of a skill's version
 * in a session, and before each installation.
 */
export type ScriptConsent = (request: ConsentRequest) => ConsentAnswer | Promise<ConsentAnswer>;

/** What somebody is asked to allow. */
export interface ConsentRequest {
  /** The skill's name. */
  readonly skill: string;
  /** The digest of the whole skill. An answer is valid for this version only. */
  readonly digest: string;
  /** The script, or the module of a toolset. Empty for packages. */
  readonly script: string;
  readonly args: readonly string[];
  readonly input?: unknown;
  /** Texts that are written to the output folder before the script starts, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A toolset to load, or one of its tools to call. Undefined for a script. */
  readonly toolset?: { readonly name: string; readonly tool?: string };
  /** The packages to install, and from where. Undefined for a script and for a toolset. */
  readonly packages?: Pick<DeclaredPackages, "python" | "npm"> & PackageRegistries;
  /** The names of the variables that the script gets, if it gets any. */
  readonly env?: readonly string[];
  readonly level: string;
  /** Aborted when nobody waits for the answer anymore. */
  readonly signal: AbortSignal;
}

/**
 * `once` allows this run, `always` all runs of this version of the skill in the session, and `deny` none. A denial may
 * say why; the model may read the reason.
 */
export type ConsentAnswer = ConsentChoice | { readonly deny: string };
export type ConsentChoice = "once" | "always" | "deny";

/**
 * Returns the values of the variables that a skill names in `metadata.env`, for its scripts alone. Called before each run,
 * after consent.
 */
export type ScriptSecrets = (
  request: SecretsRequest,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

export interface SecretsRequest {
  /** The skill's name. */
  readonly skill: string;
  /** The digest of the whole skill, as somebody consented to it. */
  readonly digest: string;
  /** The names in the skill's `metadata.env`. Other values are not passed on. */
  readonly names: readonly string[];
  /** Aborted when nobody waits for the values anymore. */
  readonly signal: AbortSignal;
}

/** The hooks of one call. */
export interface CallHooks extends ScriptHooks {
  /** Decides if neither the call, nor the session, nor the skill's own host has `consent`. */
  readonly otherwise?: Pick<ScriptHooks, "consent" | "grants"> | undefined;
}

/** What a host does while scripts run. A session overrides the skillset's functions, and a call the session's. */
export interface ScriptHooks {
  /** Decides whether a skill's scripts may run. Without it, none may. */
  readonly consent?: ScriptConsent;
  /**
   * Under `allowedTools: "enforce"`, runs a trusted skill's scripts without consent if its `allowed-tools` cover them.
   * @default true
   */
  readonly grants?: boolean;
  /** Supplies the variables that skills name in `metadata.env`. Without it, scripts get none. */
  readonly secrets?: ScriptSecrets;
  /** Called with output while a script runs. */
  readonly onOutput?: (output: ScriptOutput & { readonly skill: string; readonly script: string }) => void;
}
