import { SkillError } from "../base/errors.ts";
import type { SessionContext } from "../session/context.ts";
import type { ScriptHost } from "../session/script-host.ts";

export function scriptHostOf({ skillset: { scripts } }: SessionContext): ScriptHost {
  if (scripts !== undefined) return scripts;
  throw new SkillError("scripts-disabled", "Scripts are disabled: no runner is configured.");
}
