import { SkillError } from "../base/errors.ts";
import type { SessionContext } from "../session/context.ts";
import type { ScriptHost } from "../session/script-host.ts";

/** Throws without a runner. The reason names files and folders, so it is for the host's code, not for a model. */
export function scriptHostOf({ skillset }: SessionContext, user: "host" | "model" = "host"): ScriptHost {
  const { scripts, problems } = skillset;
  if (scripts !== undefined) return scripts;
  const problem = user === "host" ? problems?.find(({ code }) => code === "scripts-disabled") : undefined;
  if (problem === undefined) throw new SkillError("scripts-disabled", "Scripts are disabled: no runner is configured.");
  const { message, fix } = problem;
  throw new SkillError("scripts-disabled", fix === undefined ? message : `${message} ${fix}`);
}
