import { setImmediate } from "node:timers/promises";
import type { Skill, Skillset } from "skillset";
import type { SkillCommand } from "../../shared/skills-api.ts";
import { skillTasks } from "./skill-tasks.ts";

/** The skills that a user can invoke, each with its first task. The files of a set are read once. */
export function skillCommands(skillset: Skillset): Promise<readonly SkillCommand[]> {
  const commands = known.get(skillset) ?? readCommands(skillset.skills.filter(({ userInvocable }) => userInvocable));
  known.set(skillset, commands);
  return commands;
}

const known = new WeakMap<Skillset, Promise<readonly SkillCommand[]>>();

async function readCommands(skills: readonly Skill[]): Promise<readonly SkillCommand[]> {
  const commands: SkillCommand[] = [];
  for (const [index, skill] of skills.entries()) {
    const { name, description, argumentHint } = skill;
    const task = (await skillTasks(skill)).find(({ text }) => text.length <= LONGEST);
    commands.push({ name, description, argumentHint, ...(task && { task }) });
    // Files are read synchronously. Other requests do not wait for those of many skills.
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
  }
  return commands;
}

const AT_ONCE = 20;

/** A longer task does not fit on a card. */
const LONGEST = 200;
