import type { Skill } from "./skill.ts";

/** Returns the version in a skill's metadata, as the author wrote it. */
export function versionOf({ metadata }: Pick<Skill, "metadata">): string | undefined {
  const text = metadata.version?.trim();
  if (text === undefined || text === "") return undefined;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Nobody reads more, and it may be anything. */
const LONGEST = 40;
