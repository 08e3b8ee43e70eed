import { type Catalog, type CatalogSkill, type RenderOptions, renderCatalog } from "../catalog/catalog.ts";
import type { SessionContext } from "./context.ts";

/** Renders a catalog of these skills for a session: with its tokenizer, the skillset's defaults, and what it has used. */
export function renderSessionCatalog(
  { countTokens, skillset, memory, ledger }: SessionContext,
  skills: Iterable<CatalogSkill>,
  options: RenderOptions,
): Catalog {
  const { budget = skillset.catalogDefaults?.budget, pins = skillset.catalogDefaults?.pins } = options;
  const used = ledger.entries.flatMap((entry) => (entry.type === "skill-activated" ? [entry.skill] : []));
  return renderCatalog(skills, {
    countTokens,
    ...options,
    ...(budget && { budget }),
    ...(pins && { pins }),
    used: [...memory.active.keys(), ...used],
  });
}
