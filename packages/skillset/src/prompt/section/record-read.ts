import { recordActivation } from "../../core/in-session.ts";
import type { Session } from "../../core/session.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";

/** Activates the skill of a folder in each session, because an agent has read its SKILL.md. */
export async function recordRead(folder: string, sessions: Iterable<Session>): Promise<void> {
  const interested = new Set(sessions);
  if (interested.size === 0) return;
  const [skill] = (await createSkillset(folder, { requirements: false })).skills;
  if (skill === undefined) return;
  const { name, allowedTools, extra } = skill;
  const read = { name, rules: { allowedTools, extra } };
  const instructions = await skill.instructions();
  await Promise.all([...interested].map((session) => recordActivation(session, { ...read, instructions })));
}
