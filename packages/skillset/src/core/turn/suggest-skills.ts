import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import type { CatalogOptions } from "../catalog/catalog.ts";
import type { StoredCatalog, StoredNotice } from "../conversation/state.ts";
import type { Conversation } from "../session/conversation.ts";
import { renderSessionCatalog } from "../session/session-catalog.ts";
import type { Skill } from "../skill/skill.ts";
import { ownWords } from "./own-words.ts";
import type { TurnMessage } from "./turn.ts";

/** The skills that a notice suggests. */
export interface Shortlist {
  readonly skills: readonly Skill[];
  /** Describes them for a model. */
  readonly text: string;
  readonly tokens: number;
}

export interface SuggestOptions {
  readonly shown: StoredCatalog;
  readonly catalog: CatalogOptions | undefined;
  /** The notices that the conversation contains. Skills that they describe are not suggested again. */
  readonly notices: Iterable<StoredNotice>;
  /** Skills that the message already opens or names. */
  readonly named: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/** Suggests skills that clearly fit a new message and that the catalog does not describe, if there are any. */
export async function suggestSkills(
  context: Conversation,
  message: TurnMessage,
  options: SuggestOptions,
): Promise<Shortlist | undefined> {
  const skills = await findSkills(context, message, options);
  if (skills.length === 0) return undefined;
  const budget = { tokens: DEFAULTS.suggestedTokens };
  const { text, tokens } = renderSessionCatalog(context, skills, { ...options.catalog, budget });
  return { skills, text: `${BEFORE}\n${text}\n${AFTER}`, tokens };
}

const BEFORE = "These skills may fit this message. The list of skills does not describe them:";
const AFTER = "Activate one before you use it.";

async function findSkills(
  context: Conversation,
  { text }: TurnMessage,
  { shown, notices, named, signal }: SuggestOptions,
): Promise<readonly Skill[]> {
  const { skillset, memory } = context;
  const candidates = new Set([...shown.omitted, ...shown.nameOnly]);
  for (const { shortlisted = {}, added = {}, nameOnly = [], omitted = [], removed = [] } of notices) {
    for (const name of [...Object.keys(added), ...removed]) candidates.delete(name);
    for (const name of [...nameOnly, ...omitted]) candidates.add(name);
    for (const name of Object.keys(shortlisted)) candidates.delete(name);
  }
  for (const name of named) candidates.delete(name);
  if (candidates.size === 0 || skillset.rank === undefined) return [];
  const isCandidate = ({ name, modelInvocable }: Skill): boolean =>
    modelInvocable && candidates.has(name) && !memory.active.has(name);
  try {
    const { createShortlist } = await import("../search/shortlist.ts");
    const rank = async (query: string) =>
      (await skillset.rank?.(query, { limit: RANKED, ...(signal && { signal }) })) ?? [];
    return await createShortlist(ownWords(text), { rank, librarySize: skillset.skills.length, isCandidate });
  } catch (error) {
    // Nobody asked for a suggestion, so a failure must not end the turn.
    signal?.throwIfAborted();
    context.record({ type: "suggestion-failed", code: error instanceof SkillError ? error.code : "unexpected" });
    return [];
  }
}

/** More than the list needs, because skills that the catalog describes may come first. */
const RANKED = 20;
