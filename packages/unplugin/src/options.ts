import { type CreateSkillsetOptions, type Problem, type ProblemCode, SkillError } from "skillset";
import { checkOptions as checkNames, type OptionTable } from "skillset/adapter";

/** The options of `createSkillset()` that decide what is loaded, and what a build needs in addition. */
export interface SkillsetPluginOptions extends Pick<CreateSkillsetOptions, keyof typeof LOADING> {
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
export type RuleLevel = "off" | Problem["severity"];

/** Options with their defaults. */
export type CheckedOptions = SkillsetPluginOptions &
  Required<Pick<SkillsetPluginOptions, "rules" | "errors" | "maxFileBytes" | "maxSkillBytes">>;

const MIB = 1_048_576;

/** Adds the defaults. Throws for an invalid option. */
export function checkOptions(options: SkillsetPluginOptions = {}): CheckedOptions {
  checkNames("@skillset/unplugin", options, OPTIONS);
  const { rules = {}, errors = "fail", maxFileBytes = MIB, maxSkillBytes = 8 * MIB, types } = options;
  if (errors !== "fail" && errors !== "warn") throw invalid(`'errors' must be 'fail' or 'warn', not '${errors}'.`);
  if (types !== undefined && types !== false && (typeof types !== "string" || types === ""))
    throw invalid(`'types' must be the path of a file, or false, not ${JSON.stringify(types)}.`);
  if (typeof rules !== "object" || rules === null || Array.isArray(rules))
    throw invalid(`'rules' must be an object with a level for each problem, not ${JSON.stringify(rules)}.`);
  for (const [rule, level] of Object.entries(rules)) {
    if (!Object.hasOwn(LEVELS, level))
      throw invalid(`The rule '${rule}' must be one of ${Object.keys(LEVELS).join(", ")}.`);
  }
  for (const [name, value] of Object.entries({ maxFileBytes, maxSkillBytes })) {
    if (typeof value !== "number" || !(value >= 0))
      throw invalid(`'${name}' must be a number of bytes, not ${JSON.stringify(value)}.`);
  }
  return { ...options, rules, errors, maxFileBytes, maxSkillBytes };
}

const LEVELS: Readonly<Record<RuleLevel, true>> = { off: true, info: true, warning: true, error: true };

const LOADING = {
  policy: true,
  unknownFields: true,
  extensions: true,
  asciiNames: true,
  recursive: true,
  collisions: true,
  enabled: true,
  disabled: true,
  maxSkills: true,
} as const satisfies Partial<OptionTable<CreateSkillsetOptions>>;
const OPTIONS: OptionTable<SkillsetPluginOptions> = {
  ...LOADING,
  rules: true,
  errors: true,
  maxFileBytes: true,
  maxSkillBytes: true,
  types: true,
};

/** The options of `createSkillset()`. */
export const LOAD_OPTIONS = Object.keys(LOADING) as readonly (keyof typeof LOADING)[];

function invalid(message: string): SkillError {
  return new SkillError("option-invalid", `@skillset/unplugin: ${message}`);
}
