import type { ScriptSecrets } from "../core/script/script.ts";

/**
 * Supplies variables of this program to the skills that name them in `metadata.env`. Other variables are never passed on.
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { environmentSecrets } from "skillset/scripts";
 *
 * const secrets = environmentSecrets(["OCR_TOKEN"]);
 * const skills = await createSkillset(["./skills"], { scripts: { secrets, consent: () => "once" } });
 * ```
 */
export function environmentSecrets(
  allowed: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): ScriptSecrets {
  return ({ names }) =>
    Object.fromEntries(names.filter((name) => allowed.includes(name)).map((name) => [name, env[name] ?? ""]));
}
