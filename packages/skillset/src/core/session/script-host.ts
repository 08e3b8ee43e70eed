import type { ScriptHooks, ScriptOutput, ScriptResult } from "../script/script.ts";
import type { Skill, SkillFiles } from "../skill/skill.ts";

/** Runs scripts of skills, and keeps their files per session. Provided by the layer that can start processes. */
export interface ScriptHost extends ScriptHooks {
  readonly level: string;
  run(request: ScriptRequest): Promise<ScriptResult>;
  /** The files that a session's scripts wrote. */
  outputs(session: string): SkillFiles;
  /** Deletes the files that a session's scripts wrote, for when the conversation is deleted. */
  removeOutputs(session: string): void;
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
}
