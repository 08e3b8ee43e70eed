import { LIMITS } from "../base/limits.ts";

const LONGEST = LIMITS.hard.toolNameCharacters;

/** What `isToolName` accepts, in the words of errors. */
export const TOOL_NAME_RULE = `1 to ${LONGEST} letters, digits, '_' or '-'`;

/** Whether every provider accepts the name. */
export function isToolName(name: unknown): name is string {
  return typeof name === "string" && name.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(name);
}

/** The name as every provider accepts it, and different from those that are taken. */
export function toToolName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST);
  if (!taken.has(safe)) return safe;
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    const next = safe.slice(0, LONGEST - ending.length) + ending;
    if (!taken.has(next)) return next;
  }
}
