import {
  type Catalog,
  type CatalogBudget,
  type CatalogSkill,
  DEFAULT_BUDGET,
  type RenderOptions,
  renderCatalog,
} from "../catalog/catalog.ts";
import type { Conversation } from "./conversation.ts";

/** A catalog, and the budget that it had to fit. */
export interface SessionCatalog extends Catalog {
  readonly budget: CatalogBudget;
}

/** Renders a catalog of these skills for a session: with its tokenizer, the skillset's defaults, and what it has used. */
export function renderSessionCatalog(
  { settings: { countTokens }, skillset, memory, resources }: Conversation,
  skills: Iterable<CatalogSkill>,
  options: RenderOptions,
): SessionCatalog {
  const { settings } = skillset;
  const { budget = settings.budget ?? DEFAULT_BUDGET, pins = settings.pins } = options;
  const used = resources.ledger.entries.flatMap((entry) => (entry.type === "skill-activated" ? [entry.skill] : []));
  const catalog = renderCatalog(skills, {
    countTokens,
    ...options,
    budget,
    ...(pins && { pins }),
    used: [...memory.active.keys(), ...used],
  });
  return { ...catalog, budget };
}
