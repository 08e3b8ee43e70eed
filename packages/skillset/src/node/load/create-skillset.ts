import { checkOptions } from "../../core/base/check-options.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { PolicyOptions } from "../../core/manifest/policy.ts";
import type { SelectOptions } from "../../core/set/select.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { TrustStore } from "../trust/trust.ts";
import { SourceLoader } from "./source-loader.ts";
import { type SkillInput, standardFolders } from "./sources.ts";

export interface CreateSkillsetOptions extends SelectOptions, PolicyOptions {
  /** Relative paths start here. */
  readonly cwd?: string;
  /** How many levels of folders to look into; 1 by default, at most 6. `true` means as deep as allowed. */
  readonly recursive?: boolean | number;
  /** Where trust in project skills is remembered. */
  readonly trustStore?: TrustStore;
  readonly signal?: AbortSignal;
  /** Told now and then how many skills have been found. */
  readonly onProgress?: (found: number) => void;
  /**
   * Called with each problem that a load finds, and with each new one after a reload.
   * @default writes one line to stderr for each broken or locked skill, once in a process
   */
  readonly onProblem?: (problem: Problem) => void;
}

/**
 * Loads skills from folders and from code, by default from the standard folders. Broken skills become problems and
 * never affect the others.
 */
export async function createSkillset(
  sources: SkillInput | readonly SkillInput[] = standardFolders(),
  options: CreateSkillsetOptions = {},
): Promise<Skillset> {
  checkOptions("createSkillset()", options, OPTIONS);
  return new SourceLoader(isList(sources) ? sources : [sources], options).load(options);
}

const OPTIONS: readonly (keyof CreateSkillsetOptions)[] = [
  "cwd",
  "recursive",
  "trustStore",
  "signal",
  "onProgress",
  "onProblem",
  "policy",
  "unknownFields",
  "extensions",
  "asciiNames",
  "enabled",
  "disabled",
  "maxSkills",
  "collisions",
];

function isList(sources: SkillInput | readonly SkillInput[]): sources is readonly SkillInput[] {
  return Array.isArray(sources);
}
