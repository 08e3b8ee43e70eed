import { type Catalog, type CatalogBudget, type CatalogOptions, DEFAULT_BUDGET } from "../catalog/catalog.ts";
import type { DescribedSkills, StoredCatalog, StoredNotice } from "../conversation/state.ts";
import type { LedgerEvent } from "../session/ledger.ts";
import { changedTo } from "../session/review-active.ts";
import { renderSessionCatalog, skillsOffered } from "../session/session-catalog.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { textMark } from "../skill/fingerprint.ts";
import type { Skill } from "../skill/skill.ts";
import { escapeSkillTags } from "../text/escape.ts";
import type { Shortlist } from "./suggest-skills.ts";

/** Maps skill names to marks of their descriptions. */
export function describe(skills: readonly Skill[]): DescribedSkills {
  return Object.fromEntries(skills.map((skill) => [skill.name, textMark(skill.description)]));
}

/** What the model knows from the catalog and the notices. */
interface Known {
  readonly skills: Map<string, string>;
  /** The skills whose description it has not seen, and those whose name it has not seen. */
  readonly undescribed: Set<string>;
  readonly unlisted: Set<string>;
  active: readonly string[];
  readonly changed: Map<string, string>;
  hasRules: boolean;
}

function knownFrom(catalog: StoredCatalog, notices: readonly StoredNotice[]): Known {
  const known: Known = {
    skills: new Map(Object.entries(catalog.skills)),
    undescribed: new Set([...catalog.nameOnly, ...catalog.omitted]),
    unlisted: new Set(catalog.omitted),
    active: [],
    changed: new Map(),
    hasRules: catalog.text !== "",
  };
  for (const notice of notices) {
    const { added, nameOnly = [], omitted = [], removed = [], active, changed = [], shortlisted } = notice;
    for (const [name, mark] of Object.entries(added ?? {})) {
      known.skills.set(name, mark);
      known.undescribed.delete(name);
      known.unlisted.delete(name);
    }
    for (const name of [...nameOnly, ...omitted]) known.undescribed.add(name);
    for (const name of omitted) known.unlisted.add(name);
    for (const name of removed) known.skills.delete(name);
    for (const [name, mark] of Object.entries(shortlisted ?? {})) {
      known.skills.set(name, mark);
      known.undescribed.delete(name);
      known.unlisted.delete(name);
    }
    if (active !== undefined) known.active = active;
    for (const { name, digest } of changed) known.changed.set(name, digest);
    if (added !== undefined) known.hasRules = true;
  }
  return known;
}

export interface NoticeOptions {
  readonly catalog: CatalogOptions | undefined;
  /** How to use skills, for a conversation that started without any. */
  readonly rules: string;
  /** Skills whose instructions come with the message. */
  readonly given?: readonly string[];
  /** Skills that the message triggers. */
  readonly suggested?: readonly string[] | undefined;
  /** Skills that fit the message and that the catalog does not describe. */
  readonly shortlist?: Shortlist | undefined;
}

type Notice = Pick<
  StoredNotice,
  "text" | "added" | "nameOnly" | "omitted" | "removed" | "active" | "changed" | "suggested" | "shortlisted"
>;

/** Returns a notice of what changed since the model's last information, and what it lists. Returns none if nothing did. */
export function noticeOf(
  snapshot: Snapshot,
  shown: StoredCatalog,
  notices: readonly StoredNotice[],
  { catalog, rules, given = [], suggested = [], shortlist }: NoticeOptions,
): { readonly notice?: Notice; readonly offered?: readonly LedgerEvent[] } {
  const { skillset, ledger } = snapshot;
  const known = knownFrom(shown, notices);
  const listed = skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const fresh = listed.filter(({ name }) => !known.skills.has(name));
  const described = listed.filter((skill) => {
    const mark = known.skills.get(skill.name);
    // A model that has not seen the old description does not need the new one.
    return mark !== undefined && !known.undescribed.has(skill.name) && mark !== textMark(skill.description);
  });
  const isGone = (name: string): boolean => skillset.get(name)?.modelInvocable !== true;
  const removed = [...known.skills.keys()].filter((name) => !known.unlisted.has(name) && isGone(name));
  const active = [...snapshot.active.keys()];
  const isActiveKnown = active.length === known.active.length && active.every((name, at) => known.active[at] === name);
  const changed = active.flatMap((name) => {
    const digest = changedTo(ledger, name);
    const isTold = known.changed.get(name) === digest || snapshot.active.get(name)?.digest === digest;
    return digest === undefined || isTold ? [] : [{ name, digest }];
  });
  // Instructions sent with this message are already the new ones.
  const outdated = changed.filter(({ name }) => !given.includes(name)).map(({ name }) => name);
  const added = renderSessionCatalog(snapshot, fresh, catalog ?? {});
  const left = budgetAfter(added, catalog?.budget ?? skillset.settings.budget);
  // Their names are known already, so none has to be searched for.
  const { findOthers: _, ...rest } = catalog ?? {};
  const renewed = renderSessionCatalog(snapshot, described, { ...rest, budget: left });
  const nameOnly = [...added.nameOnly, ...renewed.nameOnly, ...renewed.omitted];
  const lines = [
    ...(added.text === "" ? [] : [`These skills are new:\n${added.text}`]),
    ...(added.text === "" || known.hasRules ? [] : [rules]),
    ...(renewed.text === "" ? [] : [`These skills have a new description:\n${renewed.text}`]),
    ...(removed.length === 0 ? [] : [`These skills are gone: ${removed.join(", ")}.`]),
    ...(isActiveKnown ? [] : [activeLine(active)]),
    ...(outdated.length === 0 ? [] : [changedLine(outdated)]),
    ...(suggested.length === 0 ? [] : [suggestedLine(suggested)]),
    ...(shortlist === undefined ? [] : [shortlist.text]),
  ];
  if (lines.length === 0) return changed.length === 0 ? {} : { notice: { changed } };
  const notice = {
    text: wrapNotice(lines.join("\n\n")),
    ...(fresh.length + described.length > 0 && { added: describe([...fresh, ...described]) }),
    ...(nameOnly.length > 0 && { nameOnly }),
    ...(added.omitted.length > 0 && { omitted: added.omitted }),
    ...(removed.length > 0 && { removed }),
    ...(!isActiveKnown && { active }),
    ...(changed.length > 0 && { changed }),
    ...(suggested.length > 0 && { suggested }),
    ...(shortlist !== undefined && { shortlisted: describe(shortlist.skills) }),
  };
  const names = fresh.map(({ name }) => name);
  return { notice, offered: skillsOffered(added, names) };
}

/** What a catalog in the same notice leaves of the budget. */
function budgetAfter({ tokens, characters }: Catalog, budget: CatalogBudget = DEFAULT_BUDGET): CatalogBudget {
  if ("tokens" in budget) return { tokens: Math.max(0, budget.tokens - tokens) };
  return { characters: Math.max(0, budget.characters - characters) };
}

/** Wraps the notice, because it is part of a user's message but not the user's words. */
function wrapNotice(text: string): string {
  return `<skill_notice>\n${escapeSkillTags(text)}\n</skill_notice>`;
}

function activeLine(active: readonly string[]): string {
  return active.length === 0
    ? "No skill is active any more."
    : `Active skills (activated_skill_names): ${active.join(", ")}.`;
}

function changedLine(names: readonly string[]): string {
  return `The instructions of these skills have changed: ${names.join(", ")}. Activate them again before you use them.`;
}

function suggestedLine(names: readonly string[]): string {
  return `These skills may fit this message: ${names.join(", ")}. Activate one before you use it.`;
}
