import type { Skill } from "../skill/skill.ts";

/** A skill that a user invoked by starting a message with its name. */
export interface Invocation {
  readonly skill: Skill;
  /** The text after the names. */
  readonly arguments: string;
  /** True if nothing follows the names. */
  readonly bare: boolean;
}

/**
 * Parses `/name rest` or `/name /other rest` at the start of a message: the invoked skills, at most 5, each with the same
 * arguments. Returns an empty list if users cannot invoke a skill with the first name.
 */
export function parseInvocations(
  text: string,
  skills: { get(name: string): Skill | undefined },
  invocationPrefix = "/",
): readonly Invocation[] {
  const invoked = new Set<Skill>();
  const words = stripNames(text, invocationPrefix, (name) => {
    const skill = skills.get(name);
    if (!skill?.userInvocable || (invoked.size === MOST_INVOKED && !invoked.has(skill))) return false;
    invoked.add(skill);
    return true;
  });
  return [...invoked].map((skill) => ({ skill, arguments: words, bare: words === "" }));
}

/** How many skills one message can invoke. Further names are text. */
const MOST_INVOKED = 5;

/** Returns the text after the leading names that `isName` accepts. */
export function stripNames(text: string, prefix: string, isName: (name: string) => boolean): string {
  let start = 0;
  const word = /(\S*)\s*/y;
  while (text.startsWith(prefix, start)) {
    word.lastIndex = start + prefix.length;
    const name = word.exec(text)?.[1] ?? "";
    if (!isName(name)) break;
    start = word.lastIndex;
  }
  return start === 0 ? text : text.slice(start).trimEnd();
}
