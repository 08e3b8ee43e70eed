import type { Skill } from "../skill/skill.ts";
import type { RunSecrets } from "./script-host.ts";

/** Runs modules with tools, in a sandbox or in this process. Provided by the layer that can start processes. */
export interface ToolsetHost {
  /** What contains the tools. */
  readonly level: string;
  /** Returns the tools of a module's export as data, or the result of one. Throws if that fails. */
  run(request: ToolsetRequest): Promise<unknown>;
}

/** The level of tools that run in the program itself, without a sandbox or a question. */
export const IN_PROCESS = "in-process";

export interface ToolsetRequest {
  readonly session: string;
  readonly skill: Skill;
  /** The digest of the version to use. Another one is refused. */
  readonly digest: string;
  /** The module's path in the skill. */
  readonly file: string;
  readonly export: string;
  /** The tool to call. If omitted, the tools are returned. */
  readonly call?: { readonly tool: string; readonly input: unknown };
  readonly signal: AbortSignal;
  /** Asks for consent. Returns why the module must not run, and undefined if it may. */
  refusal(): Promise<string | undefined>;
  /** Returns the variables for a module in a sandbox, or why they are missing. */
  secrets(): Promise<RunSecrets | string>;
}
