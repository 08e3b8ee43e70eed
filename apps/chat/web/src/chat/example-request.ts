import type { SkillCommand } from "../../../shared/skills-api.ts";

/** An example message for a skill, based on the "Use when …" part of its description. */
export function exampleRequest({ name, description }: SkillCommand): string {
  const [, occasion] = /\buse (?:it |this |this skill )?when(?:ever)? ([^.,;:?!]+)/i.exec(description) ?? [];
  return `/${name} ${occasion === undefined ? "What can you do?" : `What do you do when ${occasion.trim()}?`}`;
}
