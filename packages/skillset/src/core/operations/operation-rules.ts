import type { NamedOperations } from "./bind-operations.ts";

/** Returns the text below the catalog: how to load a skill with the available operations. */
export function operationRules(operations: NamedOperations, { ownTools = false } = {}): string {
  const lines = [
    "When a task matches the description of one of these skills, load its instructions before you use it.",
    ...operations.flatMap(({ definition, name }) => definition.rule?.(name) ?? []),
  ];
  if (ownTools) lines.push("Once a skill is active, its own tools are available too, named after the skill.");
  return lines.join("\n");
}

/** The same for an agent that reads SKILL.md files itself, at the catalog's locations. */
export const FILE_RULES = [
  "When a task matches an available skill:",
  "1. Read the skill's SKILL.md file, at its location, for the full instructions.",
  "2. Follow those instructions step by step.",
  "3. Use the scripts and references in the skill's folder as they ask for them.",
].join("\n");
