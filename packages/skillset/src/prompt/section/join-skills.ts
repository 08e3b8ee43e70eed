import { LIMITS } from "../../core/base/limits.ts";
import { Section } from "./section.ts";
import type { SkillList } from "./skill-list.ts";

/**
 * Lets the skills of a prompt find those that they require in all of its sections, and among the names of skills that
 * are `installed` for the agent. A section of several prompts is joined again by the one that uses it.
 */
export function joinSkills(sections: readonly Section[], installed: Iterable<string> = []): void {
  const every = withChildren(sections);
  const lists = every.map(({ skillList }) => skillList).filter((list): list is SkillList => list !== undefined);
  if (lists.length === 0) return;
  const inCode = every.flatMap(({ skill }) => (skill === undefined ? [] : [skill.name]));
  for (const list of lists) list.join(lists, [...inCode, ...installed]);
}

/** `indexSections` refuses what is no section, and what is nested too deeply. */
function withChildren(sections: readonly Section[], depth = 1): readonly Section[] {
  if (depth > LIMITS.hard.nesting) return [];
  return sections.flatMap((section) =>
    section instanceof Section ? [section, ...withChildren(section.children, depth + 1)] : [],
  );
}
