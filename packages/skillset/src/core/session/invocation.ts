import type { Skill } from "../skill/skill.ts";

/** A skill that a user invoked by starting a message with its name. */
export interface Invocation {
  readonly skill: Skill;
  /** The text after the name. */
  readonly arguments: string;
  /** True if nothing follows the name. */
  readonly bare: boolean;
}

/** Parses `/name rest` at the start of a message. Returns undefined if users cannot invoke a skill with this name. */
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

/** Whether the instructions have a placeholder for arguments. */
export function takesArguments(body: string): boolean {
  return /\$ARGUMENTS\b|\$\{ARGUMENTS\}/.test(body);
}

/** Replaces `$ARGUMENTS` and the skill's directory in the instructions with plain text. Never executes anything. */
export function fillPlaceholders(body: string, { arguments: words, directory = "." }: Placeholders): string {
  return body.replace(/\$ARGUMENTS\b|\$\{ARGUMENTS\}|\$\{(?:CLAUDE_)?SKILL_DIR\}/g, (placeholder) => {
    if (placeholder.includes("ARGUMENTS")) return words ?? placeholder;
    return directory;
  });
}
