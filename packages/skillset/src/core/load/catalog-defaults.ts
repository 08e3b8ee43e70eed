import type { Problem } from "../base/problem.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import { findUnknownPins } from "../catalog/check-pins.ts";
import type { Skill } from "../skill/skill.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadedProfile } from "./loaded-profile.ts";

/** The budget and the pins of catalogs: the program's, then the profile's. */
export function catalogDefaultsOf({ catalog = {} }: LoadOptions, profile: LoadedProfile | undefined): CatalogDefaults {
  checkOptions("The option 'catalog' of createSkillset()", catalog, OPTIONS);
  const { budget = profile?.catalog.budget } = catalog;
  const pins = [...(catalog.pins ?? []), ...(profile?.catalog.pins ?? [])];
  return { ...(budget && { budget }), ...(pins.length > 0 && { pins }) };
}

/** A skill that is gone after a reload must not stop the others, so an unknown pin is a problem. */
export function unknownPins({ pins = [] }: CatalogDefaults, skills: readonly Skill[]): readonly Problem[] {
  return findUnknownPins(pins, skills).map((unknown) => ({
    code: "pattern-unmatched",
    severity: "warning",
    ...unknown,
  }));
}

const OPTIONS: OptionTable<CatalogDefaults> = { budget: true, pins: true };
