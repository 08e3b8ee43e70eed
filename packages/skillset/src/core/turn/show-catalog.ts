import type { Catalog, CatalogOptions } from "../catalog/catalog.ts";
import { checkPins } from "../catalog/check-pins.ts";
import type { StoredCatalog } from "../conversation/state.ts";
import type { OperationOptions } from "../operations/bind-operations.ts";
import { hasToolsets } from "../session/load-toolsets.ts";
import { renderSessionCatalog } from "../session/session-catalog.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { describe } from "./notices.ts";
import { turnOperations } from "./tools.ts";

/** Says how to find the skills that a catalog omits, if the model can search. */
export function withSearch(options: CatalogOptions = {}, operations: OperationOptions = {}): CatalogOptions {
  const { include = [], aliases = {} } = turnOperations(operations);
  if (!include.includes("search_skills")) return options;
  return { findOthers: searchFor(aliases.search_skills?.name ?? "search_skills"), ...options };
}

/** The sentence in a note for a model that has this operation. */
export function searchFor(operation: string): string {
  return `call \`${operation}\` to find them`;
}

/** The catalog as `turn.catalog` returns it. */
export function catalogOf({ text, tokens, skills, shortened, nameOnly, omitted }: StoredCatalog): Catalog {
  const others = new Set([...shortened, ...nameOnly, ...omitted]);
  const full = Object.keys(skills).filter((name) => !others.has(name));
  const shown = full.length + shortened.length + nameOnly.length;
  return { text, characters: text.length, tokens, shown, full, shortened, nameOnly, omitted };
}

/** Returns the catalog of a first request. */
export function firstCatalog(snapshot: Snapshot, options: CatalogOptions, hasScripts: boolean): StoredCatalog {
  const { skillset } = snapshot;
  const { skills } = skillset;
  // A conversation may start without skills.
  if (options.pins !== undefined && skills.length > 0) checkPins(options.pins, skills);
  const { text, tokens, shortened, nameOnly, omitted, budget } = renderSessionCatalog(snapshot, skills, options);
  const listed = describe(skills.filter(({ modelInvocable }) => modelInvocable));
  const hasTools = skills.some(({ tools }) => tools.length > 0);
  const isLimited = shortened.length + nameOnly.length + omitted.length > 0;
  const optional = {
    ...(isLimited && { budget }),
    ...(hasScripts && { hasScripts }),
    ...(hasToolsets(skillset) && { hasToolsets: true }),
  };
  return { text, tokens, skills: listed, shortened, nameOnly, omitted, hasTools, ...optional };
}
