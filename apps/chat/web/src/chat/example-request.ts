import type { SkillCommand } from "../../../shared/api.ts";

/** A message to try a skill with, from what its description says of when to use it. */
export function exampleRequest({ name, description }: SkillCommand): string {
  const [, occasion] = /\buse (?:it |this |this skill )?when(?:ever)? ([^.,;:?!]+)/i.exec(description) ?? [];
  return `/${name} ${occasion === undefined ? "What can you do?" : `What do you do when ${occasion.trim()}?`}`;
}
