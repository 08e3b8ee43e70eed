import type { Catalog, CatalogLoss } from "../../core/catalog/catalog.ts";
import { counted, printable } from "../terminal/printable.ts";

/** Describes what was shortened or left out to fit a budget; empty if everything fits. */
export function catalogLosses(catalog: Pick<Catalog, CatalogLoss>): string {
  return Object.entries(LOSSES)
    .flatMap(([form, [what, done]]) => {
      const names = catalog[form as CatalogLoss];
      return names.length === 0 ? [] : [`${counted(names.length, what)} ${done} (${someOf(names)})`];
    })
    .join("; ");
}

const LOSSES: Readonly<Record<CatalogLoss, readonly [what: string, done: string]>> = {
  shortened: ["description", "shortened"],
  nameOnly: ["skill", "listed by name only"],
  omitted: ["skill", "left out"],
};

const MOST_NAMES = 5;

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(printable).join(", ");
  return names.length > MOST_NAMES ? `${shown}, …` : shown;
}
