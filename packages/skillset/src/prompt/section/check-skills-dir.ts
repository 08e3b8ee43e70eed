import { SkillError } from "../../core/base/errors.ts";
import { describeValue } from "../../core/text/describe-value.ts";

/** Throws without a folder to install skills in. */
export function checkSkillsDir(what: string, options: { readonly skillsDir?: unknown } | undefined): void {
  const skillsDir = options?.skillsDir;
  if (typeof skillsDir === "string" && skillsDir !== "") return;
  const message = `${what} requires 'skillsDir', the path of a folder; got ${describeValue(skillsDir)}.`;
  throw new SkillError("option-invalid", message);
}
