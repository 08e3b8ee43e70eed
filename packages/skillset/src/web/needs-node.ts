import { SkillError } from "../core/base/errors.ts";

/** The error of a part that a program without Node has, but cannot use. */
export function needsNode(what: string, instead: string): SkillError {
  return new SkillError("option-invalid", `${what} needs Node, and this program runs without it. ${instead}`);
}
