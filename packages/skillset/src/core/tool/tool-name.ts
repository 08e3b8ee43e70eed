import { LIMITS } from "../base/limits.ts";

const LONGEST = LIMITS.hard.toolNameCharacters;

/** Describes what `isToolName` accepts, for errors. */
export const TOOL_NAME_RULE = `1 to ${LONGEST} letters, digits, '_' or '-'`;

/** Whether every provider accepts the name. */
export function isToolName(name: unknown): name is string {
  return typeof name === "string" && name.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(name);
}

/** Returns how the names of a skill's tools start. A name that is cut and then taken ends with a number. */
export function toolNameStart(skill: string): string {
  return toSafeName(`${skill}__`).slice(0, LONGEST - "_999".length);
}

/** Converts a name to one that every provider accepts and that is not taken. */
export function toToolName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = toSafeName(wanted);
  if (!taken.has(safe)) return safe;
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    const next = safe.slice(0, LONGEST - ending.length) + ending;
    if (!taken.has(next)) return next;
  }
}

function toSafeName(wanted: string): string {
  return wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST);
}

/** What a model reads after a call of a function that it was not offered. */
export function missingFunction(name: string): string {
  return `There is no function '${name.slice(0, LIMITS.shown.nameCharacters)}'.`;
}
