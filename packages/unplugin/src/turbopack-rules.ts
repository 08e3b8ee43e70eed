import { checkOptions, type SkillsetPluginOptions } from "./options.ts";

/** The query of modules that are the bytes of a file. */
export const FILE_QUERY = "?skillset-file";
const LOADER = "@skillset/unplugin/loader";
const SKILL_MD = "**/SKILL.md";

/** The rules of Next.js, as far as they are used here. */
export type TurbopackRules = Record<string, TurbopackRule[]>;

interface TurbopackRule {
  loaders?: { loader: string; options: never }[];
  as?: string;
  type?: "bytes";
  condition: TurbopackCondition;
}

type TurbopackCondition =
  | { all: TurbopackCondition[] }
  | { not: TurbopackCondition }
  | { path?: string; query?: string };

/**
 * Returns the rules with which Turbopack compiles skills, for `turbopack.rules` in the configuration of Next.js.
 * Turbopack cannot import folders: import any file directly in the folder, such as `./skills/README.md?skillset`.
 * @example
 * ```ts
 * import { turbopackRules } from "@skillset/unplugin";
 *
 * // next.config.ts
 * export default { turbopack: { rules: turbopackRules() } };
 * ```
 */
export function turbopackRules(options: SkillsetPluginOptions = {}): TurbopackRules {
  checkOptions(options);
  const compiled = { loaders: [{ loader: LOADER, options: options as never }], as: "*.js" };
  const isFile = { query: FILE_QUERY };
  return {
    [SKILL_MD]: [{ ...compiled, condition: { not: isFile } }],
    // Every file. The second part keeps the rule apart from other rules for every file.
    "{*,skillset}": [
      { ...compiled, condition: { all: [{ query: "?skillset" }, { not: { path: SKILL_MD } }] } },
      { type: "bytes", condition: isFile },
    ],
  };
}
