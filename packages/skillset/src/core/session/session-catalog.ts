import {
  type Catalog,
  type CatalogBudget,
  type CatalogSkill,
  DEFAULT_BUDGET,
  type RenderOptions,
  renderCatalog,
} from "../catalog/catalog.ts";
import type { StoredCatalog } from "../conversation/state.ts";
import type { LedgerEvent } from "./ledger.ts";
import type { Snapshot } from "./snapshot.ts";

/** A catalog, and the budget that it had to fit. */
export interface SessionCatalog extends Catalog {
  readonly budget: CatalogBudget;
}

/** Renders a catalog of these skills for a session: with its tokenizer, the skillset's defaults, and what it has used. */
export function renderSessionCatalog(
  { countTokens, skillset, active, ledger }: Pick<Snapshot, "countTokens" | "skillset" | "active" | "ledger">,
  skills: Iterable<CatalogSkill>,
  options: RenderOptions,
): SessionCatalog {
  const { settings } = skillset;
  const { budget = settings.budget ?? DEFAULT_BUDGET, pins = settings.pins } = options;
  const used = ledger.flatMap((entry) => (entry.type === "skill-activated" ? [entry.skill] : []));
  const catalog = renderCatalog(skills, {
    countTokens,
    ...options,
    budget,
    ...(pins && { pins }),
    used: [...active.keys(), ...used],
  });
  return { ...catalog, budget };
}

/** Returns the event that a catalog lists skills, and how. Returns none if there are no skills to list. */
export function skillsOffered(
  { tokens, shortened, nameOnly, omitted, budget }: Omit<StoredCatalog, "text" | "skills" | "hasTools">,
  names: readonly string[],
): readonly LedgerEvent[] {
  if (names.length === 0) return [];
  const left = new Set(omitted);
  const skills = names.filter((name) => !left.has(name));
  const less = { shortened: shortened.length, nameOnly: nameOnly.length, omitted: omitted.length };
  const full = names.length - less.shortened - less.nameOnly - less.omitted;
  const limit = full < names.length && budget !== undefined ? { budget } : {};
  return [{ type: "skills-offered", skills, tokens, counts: { full, ...less }, ...limit }];
}
