import { SkillError } from "../base/errors.ts";
import type { OptionTable } from "../text/check-options.ts";
import type { ScriptHooks } from "./script.ts";

export const HOOKS: OptionTable<ScriptHooks> = { consent: true, grants: true, secrets: true, onOutput: true };

/** A wrong value must not disable a question. */
export function checkHooks({ consent, secrets, onOutput, grants }: ScriptHooks): void {
  for (const [name, value] of Object.entries({ consent, secrets, onOutput }))
    if (value !== undefined && typeof value !== "function")
      throw new SkillError("option-invalid", `'${name}' must be a function.`);
  if (grants !== undefined && typeof grants !== "boolean")
    throw new SkillError("option-invalid", `'grants' must be true or false, not '${String(grants)}'.`);
}
