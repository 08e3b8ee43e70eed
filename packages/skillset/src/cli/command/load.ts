import type { FilterOptions } from "../../core/set/select.ts";
import type { Skillset } from "../../core/skillset.ts";
import { type CreateSkillsetOptions, createSkillset } from "../../node/load/create-skillset.ts";
import { ignoreProblem } from "../../node/load/report-problems.ts";
import { standardFolders } from "../../node/load/sources.ts";

import type { Io } from "../terminal/io.ts";
import { withProgress } from "../terminal/progress.ts";
import type { OptionValues } from "./command.ts";
import { wholeNumber } from "./parse-command-line.ts";

/** The skills at the paths, or in the usual places when no path is given. */
export function loadSkills(paths: readonly string[], options: CreateSkillsetOptions, io: Io): Promise<Skillset> {
  const { cwd, home, signal } = io;
  const sources = paths.length > 0 ? paths : standardFolders({ cwd, home });
  return withProgress(io, (onProgress) =>
    createSkillset(sources, { cwd, signal, onProgress, onProblem: ignoreProblem, ...options }),
  );
}

/** The options of every command that loads skills. */
export const SCAN_OPTIONS = {
  recursive: { type: "boolean", about: "look into folders within folders, up to six levels" },
} as const;

/** The paths and options to name in advice, so that the next command looks at the same skills. */
export function givenAgain(paths: readonly string[], { recursive }: { recursive?: boolean }): readonly string[] {
  return recursive ? [...paths, "--recursive"] : paths;
}

/** The options that choose among the skills. */
export const FILTER_OPTIONS = {
  enable: { type: "string", multiple: true, value: "GLOB", about: "only skills whose name matches (repeatable)" },
  disable: {
    type: "string",
    multiple: true,
    value: "GLOB",
    about: "no skill whose name matches; beats --enable (repeatable)",
  },
  "max-skills": { type: "string", value: "N", about: "at most so many skills" },
} as const;

export function toFilter(values: OptionValues<typeof FILTER_OPTIONS>): FilterOptions {
  const { enable: enabled, disable: disabled } = values;
  const maxSkills = wholeNumber("max-skills", values["max-skills"]);
  return {
    enabled,
    disabled,
    maxSkills,
  };
}
