import { DEFAULTS } from "../base/limits.ts";
import type { CatalogOptions } from "../catalog/catalog.ts";
import type { StoredCatalog, StoredNotice } from "../conversation/state.ts";
import type { LedgerEvent } from "../session/ledger.ts";
import { renderSessionCatalog } from "../session/session-catalog.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { Skill } from "../skill/skill.ts";
import { ownWords } from "./own-words.ts";
import type { TurnMessage } from "./turn.ts";

export interface SuggestOptions {
  readonly shown: StoredCatalog;
  /** The notices that the conversation contains. Skills that they describe are not suggested again. */
  readonly notices: Iterable<StoredNotice>;
  /** Skills that the message already opens or names. */
  readonly named: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/** Finds skills that clearly fit a new message and that the catalog does not describe. */
export async function findFitting(
  { skillset, active }: Pick<Snapshot, "skillset" | "active">,
  { text }: TurnMessage,
  { shown, notices, named, signal }: SuggestOptions,
): Promise<readonly Skill[]> {
  const candidates = new Set([...shown.omitted, ...shown.nameOnly]);
  for (const { shortlisted = {}, added = {}, nameOnly = [], omitted = [], removed = [] } of notices) {
    for (const name of [...Object.keys(added), ...removed]) candidates.delete(name);
    for (const name of [...nameOnly, ...omitted]) candidates.add(name);
    for (const name of Object.keys(shortlisted)) candidates.delete(name);
  }
  for (const name of named) candidates.delete(name);
  if (candidates.size === 0 || skillset.rank === undefined) return [];
  const isCandidate = ({ name, modelInvocable }: Skill): boolean =>
    modelInvocable && candidates.has(name) && !active.has(name);
  const { createShortlist } = await import("../search/shortlist.ts");
  const rank = async (query: string) =>
    (await skillset.rank?.(query, { limit: RANKED, ...(signal && { signal }) })) ?? [];
  return createShortlist(ownWords(text), { rank, librarySize: skillset.skills.length, isCandidate });
}

/** More than the list needs, because skills that the catalog describes may come first. */
const RANKED = 20;

/** The skills that a notice suggests. */
export interface Shortlist {
  readonly skills: readonly Skill[];
  /** Describes them for a model. */
  readonly text: string;
  readonly event: LedgerEvent;
}

/** Describes skills that fit a message, if there are any. */
export function renderShortlist(
  snapshot: Snapshot,
  skills: readonly Skill[],
  catalog: CatalogOptions | undefined,
): Shortlist | undefined {
  if (skills.length === 0) return undefined;
  const budget = { tokens: DEFAULTS.suggestedTokens };
  const { text, tokens } = renderSessionCatalog(snapshot, skills, { ...catalog, budget });
  const names = skills.map(({ name }) => name);
  return {
    skills,
    text: `${BEFORE}\n${text}\n${AFTER}`,
    event: { type: "skills-suggested", skills: names, tokens },
  };
}

const BEFORE = "These skills may fit this message. The list of skills does not describe them:";
const AFTER = "Activate one before you use it.";
