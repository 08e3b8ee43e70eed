import { SkillError } from "./base/errors.ts";
import type { Session } from "./session.ts";

/** Throws if the active skills do not allow a call of one of the host's tools. The message is for the model. */
export function requireTool(session: Session, tool: string, input: unknown): void {
  const decision = session.checkTool(tool, input);
  if (!decision.allowed) throw new SkillError("tool-denied", decision.message);
}
