import { SkillError } from "../../core/base/errors.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { FilterOptions } from "../../core/source/select.ts";
import { hasConfig } from "../../node/config/find-config.ts";
import { type CreateSkillsetOptions, createSkillset } from "../../node/load/create-skillset.ts";
import { BUNDLED_SOURCE, STANDARD_PLACES, standardFolders } from "../../node/load/sources.ts";
import type { Io } from "../terminal/io.ts";
import { withProgress } from "../terminal/progress.ts";
import type { ArgumentSpec, OptionSpecs, OptionValues } from "./command.ts";
import { wholeNumber } from "./parse-command-line.ts";

export interface LoadSkillsOptions extends Omit<CreateSkillsetOptions, "profile"> {
  /** Also load the skills that come with skillset. */
  readonly bundled?: boolean | undefined;
  /** The default profile if omitted. */
  readonly profile?: string | false | undefined;
}

/** Loads the skills at the paths or, without a path, in the standard folders. */
export function loadSkills(
  paths: readonly string[],
  { bundled = false, profile: wanted, ...options }: LoadSkillsOptions,
  io: Io,
): Promise<Skillset> {
  const { cwd, home, signal } = io;
  const env = (name: string): boolean => (io.env[name] ?? "") !== "";
  // Reading profiles loads more code, and most folders have none.
  const profile = wanted ?? hasConfig(cwd);
  const found = paths.length > 0 ? paths : standardFolders({ cwd, home });
  const sources = bundled ? [...found, BUNDLED_SOURCE] : found;
  return withProgress(io, (onProgress) =>
    createSkillset(sources, { cwd, signal, env, profile, onProgress, onProblem: ignoreProblem, ...options }),
  );
}

/** Throws if the profile disables one of the skills that the command line names. */
export async function refuseDisabled(paths: readonly string[], profile: string | undefined, io: Io): Promise<void> {
  if (paths.length === 0 || (profile === undefined && !hasConfig(io.cwd))) return;
  const { entries } = await loadSkills(paths, { profile, requirements: false }, io);
  const found = entries.find((entry) => entry.status === "disabled");
  if (found?.status === "disabled") throw new SkillError("skill-not-found", `'${found.name}' is ${found.reason}.`);
}

/** The argument of the commands that load skills. */
export const PATHS: ArgumentSpec = {
  name: "PATH",
  multiple: true,
  completes: "files",
  about: `a folder of skills, a skill's folder, its SKILL.md, or a quoted glob; by default ${STANDARD_PLACES}`,
};

export const PROFILE_OPTION = {
  profile: {
    type: "string",
    value: "NAME",
    about: "apply this profile of your skillset.json and the project's; by default their default profiles",
  },
} as const satisfies OptionSpecs;

export const SCAN_OPTIONS = {
  recursive: { type: "boolean", about: "search subfolders, up to six levels deep" },
} as const satisfies OptionSpecs;

/** The options of the commands that search the standard folders when no path is given. */
export const LOAD_OPTIONS = {
  ...SCAN_OPTIONS,
  bundled: { type: "boolean", about: "also load the skills that come with skillset" },
  ...PROFILE_OPTION,
} as const satisfies OptionSpecs;

/** The paths and options that make another command load the same skills. */
export function givenAgain(
  paths: readonly string[],
  { recursive, bundled, profile }: OptionValues<typeof LOAD_OPTIONS>,
): readonly string[] {
  const options = [recursive && "--recursive", bundled && "--bundled", profile !== undefined && `--profile=${profile}`];
  return [...paths, ...options.filter((option) => typeof option === "string")];
}

/** The options that select skills. */
export const FILTER_OPTIONS = {
  enable: {
    type: "string",
    multiple: true,
    value: "GLOB",
    completes: "skills",
    about: "load only skills whose name matches",
  },
  disable: {
    type: "string",
    multiple: true,
    value: "GLOB",
    completes: "skills",
    about: "leave out skills whose name matches; overrides --enable",
  },
  "max-skills": { type: "string", value: "N", about: "load at most N skills" },
} as const satisfies OptionSpecs;

export function toFilter(values: OptionValues<typeof FILTER_OPTIONS>): FilterOptions {
  const { enable: enabled, disable: disabled } = values;
  const maxSkills = wholeNumber("max-skills", values["max-skills"]);
  return { enabled, disabled, maxSkills };
}
