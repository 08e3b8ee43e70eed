import { activateRead } from "../../core/operations/activate-read.ts";
import type { Conversation } from "../../core/session/conversation.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";

/** Activates the skill of a folder in each conversation, because an agent has read its SKILL.md. */
export async function recordRead(folder: string, conversations: Iterable<Conversation>): Promise<void> {
  const interested = new Set(conversations);
  if (interested.size === 0) return;
  const [skill] = (await createSkillset(folder, { requirements: false })).skills;
  if (skill === undefined) return;
  const { name, allowedTools, extra } = skill;
  const read = { name, rules: { allowedTools, extra } };
  const instructions = await skill.instructions();
  await Promise.all([...interested].map((conversation) => activateRead(conversation, { ...read, instructions })));
}
