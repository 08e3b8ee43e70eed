/** The names under which the operations are on offer; one that is left out is not mentioned. */
export interface OperationNames {
  readonly activate?: string;
  readonly read?: string;
  readonly call?: string;
}

export interface RuleOptions {
  readonly operations?: OperationNames;
  /** The agent reads SKILL.md files by itself, at the catalog's locations, instead of calling an operation. */
  readonly fileRead?: boolean;
  /** A skill's tools are tools of their own once it is active, under names that start with the skill's. */
  readonly ownTools?: boolean;
}

const DEFAULT_NAMES: OperationNames = { activate: "activate_skill", read: "read_skill_file", call: "call_skill_tool" };

/** What a model is told below the catalog: how to load a skill, and which are active. */
export function rulesFor(
  active: readonly string[],
  { operations = DEFAULT_NAMES, fileRead = false, ownTools = false }: RuleOptions = {},
): string {
  const lines = fileRead ? [...FILE_RULES] : operationRules(operations);
  if (ownTools) lines.push("Once a skill is active, its own tools are on offer too, named after the skill.");
  if (active.length > 0) lines.push("", activeLine(active));
  return lines.join("\n");
}

/** Which skills are active, in the words that every prompt has for it. */
export function activeLine(active: readonly string[]): string {
  return `Active skills (activated_skill_names): ${active.join(", ")}.`;
}

function operationRules({ activate, read, call }: OperationNames): string[] {
  const lines = [
    "When a task matches the description of one of these skills, load its instructions before you use it.",
  ];
  if (activate !== undefined)
    lines.push(`Call \`${activate}\` with the skill's name, then follow the instructions that it returns.`);
  if (call !== undefined) lines.push(`Call a skill's tools with \`${call}\`, once it is active.`);
  if (read !== undefined)
    lines.push(`Read a skill's files with \`${read}\`, only those that its instructions send you to.`);
  return lines;
}

const FILE_RULES = [
  "When a task matches an available skill:",
  "1. Read the skill's SKILL.md file, at its location, for the full instructions.",
  "2. Follow those instructions step by step.",
  "3. Use the scripts and references in the skill's folder as they ask for them.",
];
