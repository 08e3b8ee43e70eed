import { PromptValidationError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { Section, type SectionSkill } from "./section.ts";

/**
 * Indexes sections by dotted key. Throws if two sections have the same key or skill name, or different tools with one
 * name.
 */
export function indexSections(sections: readonly Section[]): ReadonlyMap<string, Section> {
  const index = new Map<string, Section>();
  const skills = new Map<string, string>();
  const tools = new Map<string, { readonly tool: Section["tools"][number]; readonly key: string }>();
  const add = (section: Section, key: string, depth: number): void => {
    if (!(section instanceof Section)) throw new PromptValidationError(`'${key}' is not a section.`, [key]);
    if (depth > LIMITS.hard.nesting)
      throw new PromptValidationError(
        `Sections can be nested up to ${LIMITS.hard.nesting} levels; '${key}' is deeper.`,
        [key],
      );
    // Checked before the key, which is often the skill's name: the skill must be renamed.
    if (section.skill !== undefined) claimSkill(skills, section.skill, `section '${key}' titled '${section.title}'`);
    const other = index.get(key);
    if (other !== undefined) throw duplicateKey(key, other, section);
    index.set(key, section);
    for (const tool of section.tools) claimTool(tools, tool, key);
    for (const child of section.current) add(child, `${key}.${child?.key}`, depth + 1);
  };
  for (const section of sections) add(section, section?.key, 1);
  return index;
}

function duplicateKey(key: string, one: Section, other: Section): PromptValidationError {
  const message = `Two sections have the key '${key}': '${one.title}' and '${other.title}'. Give one of them another key.`;
  return new PromptValidationError(message, [one.title, other.title]);
}

/** Two skills with one name would be installed in the same folder. */
function claimSkill(skills: Map<string, string>, { name, path }: SectionSkill, inCode: string): void {
  const place = path ?? inCode;
  const other = skills.get(name);
  if (other !== undefined) {
    const message = `Two skills are called '${name}': ${other} and ${place}. Rename one of them.`;
    throw new PromptValidationError(message, [other, place]);
  }
  skills.set(name, place);
}

/** Several sections may share a tool, which is then listed once. */
function claimTool(
  tools: Map<string, { readonly tool: Section["tools"][number]; readonly key: string }>,
  tool: Section["tools"][number],
  key: string,
): void {
  const known = tools.get(tool.name);
  if (known === undefined) tools.set(tool.name, { tool, key });
  else if (known.tool !== tool) {
    const message = `Sections '${known.key}' and '${key}' have different tools called '${tool.name}'. Rename one of them.`;
    throw new PromptValidationError(message, [known.key, key]);
  }
}
