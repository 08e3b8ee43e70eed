import type { PackageStatus, PrepareResult } from "../script/packages.ts";
import type { Redactor } from "../script/redactor.ts";
import type { ConsentRequest, ScriptHooks, ScriptOutput, ScriptResult } from "../script/script.ts";
import type { ReadOptions, Skill, SkillFiles } from "../skill/skill.ts";

/** Runs scripts of skills, and keeps their files per session. Provided by the layer that can start processes. */
export interface ScriptHost extends ScriptHooks {
  readonly level: string;
  run(request: ScriptRequest): Promise<ScriptResult>;
  /** Installs the packages that a skill declares. */
  prepare(request: PrepareRequest): Promise<PrepareResult>;
  /** Returns the packages that a skill declares, and whether they are installed. */
  packagesOf(skill: Skill, signal: AbortSignal): Promise<PackageStatus>;
  /** The files in a session's output folder. */
  outputs(session: string): OutputFiles;
  /** Deletes the files that a session's scripts wrote, for when the conversation is deleted. */
  removeOutputs(session: string): void;
}

/** The files in the output folder of a session: those that its scripts wrote, and those that were written for them. */
export interface OutputFiles extends SkillFiles {
  /**
   * Writes a file that scripts find in `$OUTPUT_DIR`. Names and the size are limited as for files of scripts. Waits until
   * no script of the session runs.
   */
  write(path: string, bytes: Uint8Array, options?: ReadOptions): Promise<void>;
}

export interface ScriptRequest {
  readonly session: string;
  readonly skill: Skill;
  readonly script: string;
  readonly args: readonly string[];
  readonly input?: unknown;
  /** Texts to write to the output folder first, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  onOutput(output: ScriptOutput): void;
  /** Returns why the script must not run, and undefined if it may. */
  refusal(digest: string): Promise<string | undefined>;
  /** Returns the variables for the script, or why they are missing. Called once it may run. */
  secrets(digest: string): Promise<RunSecrets | string>;
}

/** The variables of one run, and what hides their values. */
export interface RunSecrets {
  readonly env: Readonly<Record<string, string>>;
  readonly redactor: Redactor;
}

export interface PrepareRequest {
  readonly skill: Skill;
  readonly signal: AbortSignal;
  onOutput(output: ScriptOutput): void;
  /** Returns why nothing may be installed, and undefined if it may. */
  refusal(digest: string, packages: NonNullable<ConsentRequest["packages"]>): Promise<string | undefined>;
}
