import { LIMITS } from "../base/limits.ts";

const LONGEST = LIMITS.hard.toolNameCharacters;

/** Describes what `isToolName` accepts, for errors. */
export const TOOL_NAME_RULE = `1 to ${LONGEST} letters, digits, '_' or '-'`;

/** Whether every provider accepts the name. */
export function isToolName(name: unknown): name is string {
  return typeof name === "string" && name.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(name);
}

/** Converts a name to one that every provider accepts and that is not taken. */
export function toToolName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST);
  if (!taken.has(safe)) return safe;
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    const next = safe.slice(0, LONGEST - ending.length) + ending;
    if (!taken.has(next)) return next;
  }
}
