import { SkillError } from "../base/errors.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import type { SkillEmbedder } from "../search/skill-embedder.ts";
import type { Skillset } from "../skillset.ts";

/** The settings of catalogs and searches. */
interface SharedSettings {
  readonly catalogDefaults: CatalogDefaults;
  readonly embedder: SkillEmbedder | undefined;
}

/**
 * Returns the settings of a skillset that is made of others: its own, or else those of the only one that has them. Pins
 * name skills, so all of them apply.
 */
export function mergeSettings(own: SharedSettings, inner: readonly Skillset[]): SharedSettings {
  const budget =
    own.catalogDefaults.budget ?? only("catalog.budget", inner, ({ catalogDefaults }) => catalogDefaults.budget);
  const pins = new Set([own, ...inner].flatMap(({ catalogDefaults }) => catalogDefaults.pins ?? []));
  return {
    catalogDefaults: { ...(budget && { budget }), ...(pins.size > 0 && { pins: [...pins] }) },
    embedder: own.embedder ?? only("embedding", inner, ({ embedder }) => embedder),
  };
}

/** Throws if the skillsets have different values: which one applies must not depend on their order. */
function only<Value>(
  option: string,
  skillsets: readonly Skillset[],
  settingOf: (skillset: Skillset) => Value | undefined,
): Value | undefined {
  const values = skillsets.map(settingOf).filter((value) => value !== undefined);
  const [first] = values;
  // Embedders are compared by identity, budgets by value.
  const isSame = (value: Value): boolean =>
    value === first || (option !== "embedding" && JSON.stringify(value) === JSON.stringify(first));
  if (values.every(isSame)) return first;
  const message = `The skillsets have different settings for '${option}'. Set '${option}' for the skillset that is made of them.`;
  throw new SkillError("option-invalid", message);
}
