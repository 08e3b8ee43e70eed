import type { CreateSkillsetOptions, ProblemCode } from "skillset";

/** The options of `createSkillset()` that decide what is loaded, and what a build needs in addition. */
export interface SkillsetPluginOptions
  extends Pick<
    CreateSkillsetOptions,
    | "policy"
    | "unknownFields"
    | "extensions"
    | "asciiNames"
    | "recursive"
    | "collisions"
    | "enabled"
    | "disabled"
    | "maxSkills"
  > {
  /**
   * How to report each problem, as `validate.rules` in skillset.json. `error` fails the build, `warning` is a build
   * warning, `info` and `off` are not reported.
   * @default the severity of the problem
   */
  readonly rules?: Readonly<Partial<Record<ProblemCode, RuleLevel>>>;
  /**
   * What an error does: fails the build, or becomes a warning. Broken skills are left out either way.
   * @default "fail"
   */
  readonly errors?: "fail" | "warn";
  /**
   * The maximum size of one file of a skill, in bytes.
   * @default 1048576 (1 MiB)
   */
  readonly maxFileBytes?: number;
  /**
   * The maximum size of all files of a skill, in bytes.
   * @default 8388608 (8 MiB)
   */
  readonly maxSkillBytes?: number;
  /**
   * The file for the types of the imports, relative to the project, or `false` for none. Commit it.
   * @default "skillset-env.d.ts" if the project has a tsconfig.json
   */
  readonly types?: string | false;
}

/** How a rule is reported. */
export type RuleLevel = "off" | "info" | "warning" | "error";

/** Options with their defaults. */
export type CheckedOptions = SkillsetPluginOptions &
  Required<Pick<SkillsetPluginOptions, "rules" | "errors" | "maxFileBytes" | "maxSkillBytes">>;

const MIB = 1_048_576;

/** Adds the defaults. Throws for an invalid option. */
export function checkOptions(options: SkillsetPluginOptions = {}): CheckedOptions {
  const unknown = Object.keys(options).find((key) => !(KNOWN as readonly string[]).includes(key));
  if (unknown !== undefined) throw invalid(`Unknown option '${unknown}'. The options are ${KNOWN.join(", ")}.`);
  const { rules = {}, errors = "fail", maxFileBytes = MIB, maxSkillBytes = 8 * MIB } = options;
  if (errors !== "fail" && errors !== "warn") throw invalid(`'errors' must be 'fail' or 'warn', not '${errors}'.`);
  for (const [rule, level] of Object.entries(rules)) {
    if (!LEVELS.includes(level)) throw invalid(`The rule '${rule}' must be one of ${LEVELS.join(", ")}.`);
  }
  for (const [name, value] of Object.entries({ maxFileBytes, maxSkillBytes })) {
    if (!(value >= 0)) throw invalid(`'${name}' must be a number of bytes, not ${value}.`);
  }
  return { ...options, rules, errors, maxFileBytes, maxSkillBytes };
}

const LEVELS: readonly RuleLevel[] = ["off", "info", "warning", "error"];
export const LOAD_OPTIONS = [
  "policy",
  "unknownFields",
  "extensions",
  "asciiNames",
  "recursive",
  "collisions",
  "enabled",
  "disabled",
  "maxSkills",
] as const satisfies readonly (keyof SkillsetPluginOptions)[];
const KNOWN = [...LOAD_OPTIONS, "rules", "errors", "maxFileBytes", "maxSkillBytes", "types"] as const;

function invalid(message: string): TypeError {
  return new TypeError(`@skillset/unplugin: ${message}`);
}
