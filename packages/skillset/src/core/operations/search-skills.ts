import { SkillError } from "../base/errors.ts";
import { DEFAULTS, LIMITS } from "../base/limits.ts";
import { CATALOG_WRITERS } from "../catalog/catalog-format.ts";
import { shorten } from "../catalog/catalog-row.ts";
import type { RankedSkill } from "../search/rank.ts";
import { splitWords } from "../search/words.ts";
import type { Conversation } from "../session/conversation.ts";
import type { SkillLookup } from "../skill/skill.ts";
import { escapeSkillTags, visibleText } from "../text/escape.ts";
import { type OperationArguments, type OperationDefinition, stringArgument } from "./operation.ts";

export interface SearchInput {
  readonly query: string;
  readonly limit: number;
}

export interface SearchData {
  readonly skills: readonly FoundSkill[];
}

export const searchSkills: OperationDefinition<"search_skills"> = {
  id: "search_skills",
  title: "Search skills",
  description:
    "Find skills for a task, also those that the list of skills leaves out. Describe the task in your words.",
  properties: () => ({
    query: { type: "string", description: "The task, or words of it" },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: LIMITS.shown.searchedSkills,
      description: `How many skills to return, ${DEFAULTS.searchedSkills} if omitted`,
    },
  }),
  required: ["query"],
  readOnly: true,
  usesLoadedSkill: false,
  returns: "report",
  isDefault: true,
  isOffered: ({ fixedList, omitsNames }) => fixedList || omitsNames(),
  rule: (name) =>
    `If no listed skill fits, call \`${name}\` with the task in words: it also finds skills that are not listed.`,
  read: (given) => ({ query: queryOf(given), limit: limitOf(given) }),
  execute: async (context, { query, limit }, { signal }) => {
    const skills = await search(context, query, { limit, signal });
    return { text: skills.length === 0 ? NOTHING_FITS : skills.map(toLine).join("\n"), data: { skills } };
  },
};

const NOTHING_FITS = "No skill fits. Search again with other words for the task, or continue without a skill.";

/** A skill that a search found, as a model sees it. */
export interface FoundSkill {
  readonly name: string;
  /** On one line, shortened. */
  readonly description: string;
  /** The words of the query that the skill contains. */
  readonly matched: readonly string[];
  readonly isActive: boolean;
}

interface SearchUse {
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/** Returns the skills that fit a query, best first. */
function search(context: Conversation, query: string, { limit, signal }: SearchUse): Promise<readonly FoundSkill[]> {
  return context.follow({ operation: "search", content: { "skillset.search.query": query } }, async () => {
    signal?.throwIfAborted();
    const { skillset } = context;
    // Skills that the model must not see take no place of others.
    const most = limit + countHidden(skillset);
    const ranked = (await skillset.rank?.(query, { limit: most, ...(signal && { signal }) })) ?? [];
    const skills = ranked
      .filter(({ skill, fit }) => fit >= DEFAULTS.fit && context.hasInstructions(skill))
      .slice(0, limit)
      .map((one) => toFound(context, one));
    context.record(
      { type: "skills-searched", words: splitWords(query).length, skills: skills.map(({ name }) => name) },
      { "skillset.search.results": skills.length },
    );
    return skills;
  });
}

/** Computed once per skillset, which may have ten thousand skills. */
function countHidden(skillset: SkillLookup): number {
  const count = HIDDEN.get(skillset) ?? skillset.skills.filter(({ modelInvocable }) => !modelInvocable).length;
  HIDDEN.set(skillset, count);
  return count;
}

const HIDDEN = new WeakMap<SkillLookup, number>();

function toFound({ memory }: Conversation, { skill: { name, description }, matched }: RankedSkill): FoundSkill {
  return {
    name,
    description: escapeSkillTags(shorten(visibleText(description), LIMITS.shown.descriptionCharacters)),
    matched: matched.slice(0, LIMITS.shown.matchedWords),
    isActive: memory.active.has(name),
  };
}

/** Writes a result as a Markdown catalog does, with the reason. */
function toLine({ name, description, matched, isActive }: FoundSkill): string {
  const why = `matches: ${matched.join(", ")}${isActive ? "; already active" : ""}`;
  return escapeSkillTags(LINES.entry(visibleText(name), description, undefined, why));
}

const LINES = CATALOG_WRITERS.markdown();

function queryOf(given: OperationArguments): string {
  const query = stringArgument(given, "query").slice(0, LIMITS.soft.query).toWellFormed().trim();
  if (query === "") throw new SkillError("option-invalid", "'query' is empty: describe the task in words.");
  return query;
}

function limitOf({ limit = DEFAULTS.searchedSkills }: OperationArguments): number {
  if (typeof limit !== "number" || Number.isNaN(limit))
    throw new SkillError("option-invalid", `'limit' must be a number from 1 to ${LIMITS.shown.searchedSkills}.`);
  return Math.min(Math.max(Math.trunc(limit), 1), LIMITS.shown.searchedSkills);
}
