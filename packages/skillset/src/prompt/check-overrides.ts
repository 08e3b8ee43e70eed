import { PromptValidationError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import type { Section } from "./section/section.ts";

/** Throws unless every key is that of a section that accepts overrides. */
export function checkOverrides(
  overrides: Readonly<Record<string, string>>,
  index: ReadonlyMap<string, Section>,
): ReadonlyMap<string, string> {
  const entries = Object.entries(overrides);
  for (const [key, text] of entries) {
    const section = index.get(key);
    if (section === undefined) throw unknownSection(key, index);
    if (!section.acceptsOverrides)
      throw new PromptValidationError(`Section '${key}' accepts no overrides: its 'acceptsOverrides' is false.`, [key]);
    if (typeof text !== "string")
      throw new PromptValidationError(`The override of section '${key}' must be a string.`, [key]);
  }
  return new Map(entries);
}

export function unknownSection(key: string, index: ReadonlyMap<string, Section>): PromptValidationError {
  const known = [...index.keys()];
  const more = known.length > LIMITS.shown.names ? `, and ${known.length - LIMITS.shown.names} more` : "";
  const message = `There is no section '${key}'. Sections: ${known.slice(0, LIMITS.shown.names).join(", ")}${more}.`;
  return new PromptValidationError(message, [key]);
}
