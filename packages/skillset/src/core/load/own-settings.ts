import type { PathBases } from "../allowed-tools/path-pattern.ts";
import { checkToolRules, strictestOf } from "../allowed-tools/tool-rules.ts";
import type { Problem } from "../base/problem.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import { findUnknownPins } from "../catalog/check-pins.ts";
import type { SetSettings } from "../set/set-settings.ts";
import { enabledSkills, type SkillEntry } from "../source/select.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadedProfile } from "./loaded-profile.ts";

/** What the options of a program, its profile and its system set for a skillset. A profile never weakens a policy. */
export function ownSettings(
  { catalog = {}, allowedTools, toolNames, requirements }: LoadOptions,
  profile: LoadedProfile | undefined,
  bases: PathBases,
): SetSettings {
  checkOptions("The option 'catalog' of createSkillset()", catalog, CATALOG);
  // Throws for a policy that does not exist, before another one replaces it.
  checkToolRules({ allowedTools, toolNames });
  const { budget = profile?.catalog.budget } = catalog;
  return {
    ...bases,
    budget: budget && Object.freeze({ ...budget }),
    pins: [...(catalog.pins ?? []), ...(profile?.catalog.pins ?? [])],
    allowedTools: strictestOf([allowedTools, profile?.allowedTools]),
    toolNames,
    requirements,
  };
}

/** A skill that is gone after a reload must not stop the others, so an unknown pin is a problem. */
export function unknownPins({ pins = [] }: SetSettings, entries: readonly SkillEntry[]): readonly Problem[] {
  if (pins.length === 0) return [];
  return findUnknownPins(pins, enabledSkills(entries)).map((unknown) => ({
    code: "pattern-unmatched",
    severity: "warning",
    ...unknown,
  }));
}

const CATALOG: OptionTable<CatalogDefaults> = { budget: true, pins: true };
