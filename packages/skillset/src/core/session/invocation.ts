import type { Skill } from "../skill/skill.ts";

/** What a person asked for by starting a message with a skill's name. */
export interface Invocation {
  readonly skill: Skill;
  /** What stands behind the name. */
  readonly arguments: string;
  /** Whether there is nothing behind the name: the skill is to be activated, and nothing else was asked. */
  readonly bare: boolean;
}

/** Reads `/name rest` at the very start of a message; undefined when it names no skill that people may invoke. */
export function parseInvocation(
  text: string,
  skills: { get(name: string): Skill | undefined },
  invocationPrefix = "/",
): Invocation | undefined {
  if (!text.startsWith(invocationPrefix)) return undefined;
  const [, name = "", rest = ""] = /^(\S+)([\s\S]*)$/.exec(text.slice(invocationPrefix.length)) ?? [];
  const skill = skills.get(name);
  if (skill === undefined || !skill.userInvocable) return undefined;
  const words = rest.trim();
  return { skill, arguments: words, bare: words === "" };
}

export interface Placeholders {
  readonly arguments?: string | undefined;
  readonly directory?: string | undefined;
}

/** Whether the instructions have a place for what stands behind the name. */
export function takesArguments(body: string): boolean {
  return /\$ARGUMENTS\b|\$\{ARGUMENTS\}/.test(body);
}

/** Fills `$ARGUMENTS` and the skill's directory into the instructions, as plain text. Nothing is ever executed. */
export function fillPlaceholders(body: string, { arguments: words, directory = "." }: Placeholders): string {
  return body.replace(/\$ARGUMENTS\b|\$\{ARGUMENTS\}|\$\{(?:CLAUDE_)?SKILL_DIR\}/g, (placeholder) => {
    if (placeholder.includes("ARGUMENTS")) return words ?? placeholder;
    return directory;
  });
}
