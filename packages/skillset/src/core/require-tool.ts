import { disallowedTools } from "./allowed-tools/disallowed-tools.ts";
import { SkillError } from "./base/errors.ts";
import { contextOf } from "./context-of.ts";
import type { Session } from "./session.ts";

/**
 * Whether the session might restrict the host's tools. If not, they need not be wrapped. Under `enforce`, also skills may
 * become active that the set lacks, such as those of a prompt.
 */
export function mayRestrict(session: Session): boolean {
  const { toolRules, skillset } = contextOf(session);
  if (toolRules.allowedTools === "off") return false;
  if (toolRules.allowedTools === "enforce") return true;
  return skillset.skills.some((skill) => skill.allowedTools.length > 0 || disallowedTools(skill).length > 0);
}

/** Throws if the active skills do not allow a call of one of the host's tools. The message is for the model. */
export function requireTool(session: Session, tool: string, input: unknown): void {
  const decision = session.checkTool(tool, input);
  if (!decision.allowed) throw new SkillError("tool-denied", decision.message);
}
