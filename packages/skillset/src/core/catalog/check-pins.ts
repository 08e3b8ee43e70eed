import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { nearestWord } from "../text/nearest-word.ts";
import type { CatalogSkill } from "./catalog.ts";

/** Throws for a pin without a skill. */
export function checkPins(pins: readonly string[], skills: Iterable<CatalogSkill>): void {
  if (!Array.isArray(pins) || pins.some((pin) => typeof pin !== "string"))
    throw new SkillError("option-invalid", "'pins' must be a list of names of skills.");
  const [unknown] = findUnknownPins(pins, skills);
  if (unknown !== undefined) throw new SkillError("option-invalid", `${unknown.message} ${unknown.fix}`);
}

/** Returns the pins that name no skill of the catalog, with the nearest name. */
export function findUnknownPins(
  pins: readonly string[],
  skills: Iterable<CatalogSkill>,
): readonly { readonly message: string; readonly fix: string }[] {
  if (pins.length === 0) return [];
  const names = Array.from(skills).flatMap(({ name, modelInvocable }) => (modelInvocable ? [name] : []));
  const known = new Set(names);
  return pins
    .filter((pin) => !known.has(pin))
    .map((pin) => {
      const shown = pin.slice(0, LIMITS.shown.nameCharacters);
      const near = nearestWord(shown, names);
      return {
        message: `'pins' has '${shown}', but no skill with this name is in the catalog.`,
        fix: near === undefined ? "Remove the name from 'pins'." : `Did you mean '${near}'?`,
      };
    });
}
