import type { Skill } from "../skill/skill.ts";

/**
 * Whether somebody vouched for a skill: the program (skills in code, folders that it names), the package (bundled
 * skills), or the user, who trusted this version of a project's skill. A project's skill that is not trusted is locked
 * and never gets here. Skills that were only installed, and skills from other programs, are not trusted.
 */
export function isTrusted({ origin, isRemote }: Skill): boolean {
  if (isRemote) return false;
  return origin.kind === "inline" || (origin.kind === "folder" && origin.scope !== "user");
}
