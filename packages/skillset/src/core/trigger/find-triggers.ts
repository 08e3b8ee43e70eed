import { LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { normalise } from "../text/normalise.ts";
import { type CompiledPattern, loadPatterns } from "./patterns.ts";
import { type FoldedText, fold, foldText, hasPhrase, verbForms } from "./phrases.ts";

/** A skill that a message triggers, and what in its frontmatter matched. */
export interface TriggerMatch {
  readonly skill: Skill;
  readonly kind: "keyword" | "pattern" | "verb";
  /** The keyword, verb or pattern, as the author wrote it. */
  readonly trigger: string;
}

/**
 * Returns the skills that a message triggers, at most two: keywords before patterns before verbs, then the longer
 * trigger, then the order of the skills.
 */
export async function findTriggers(skills: readonly Skill[], message: string): Promise<readonly TriggerMatch[]> {
  const text = normalise(message.slice(0, LIMITS.soft.triggerText), "NFC");
  const folded = foldText(text);
  const matches: TriggerMatch[] = [];
  for (const skill of skills) {
    const match = findPhrase(skill, folded) ?? (await findPattern(skill, text)) ?? findVerb(skill, folded);
    if (match !== undefined) matches.push({ skill, ...match });
  }
  const rank = ({ kind, trigger }: TriggerMatch): number => KINDS.indexOf(kind) * 10_000 - trigger.length;
  return matches.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_TRIGGERED);
}

const MOST_TRIGGERED = 2;
const KINDS = ["keyword", "pattern", "verb"];

type Found = Omit<TriggerMatch, "skill"> | undefined;

function findPhrase(skill: Skill, folded: FoldedText): Found {
  const trigger = longest(skill.triggers?.keywords).find((keyword) => hasPhrase(folded, fold(keyword)));
  return trigger === undefined ? undefined : { kind: "keyword", trigger };
}

function findVerb(skill: Skill, folded: FoldedText): Found {
  const isThere = (verb: string): boolean => verbForms(fold(verb)).some((form) => hasPhrase(folded, form));
  const trigger = longest(skill.triggers?.verbs).find(isThere);
  return trigger === undefined ? undefined : { kind: "verb", trigger };
}

async function findPattern(skill: Skill, text: string): Promise<Found> {
  const sources = longest(skill.triggers?.patterns);
  if (sources.length === 0) return undefined;
  const compiled = COMPILED.get(skill) ?? new Map((await compileAll(sources)).map((one) => [one.source, one.pattern]));
  COMPILED.set(skill, compiled);
  const trigger = sources.find((source) => {
    const pattern = compiled.get(source);
    // Validation reports a pattern with a fault. The others still work.
    return pattern !== undefined && "test" in pattern && pattern.test(text);
  });
  return trigger === undefined ? undefined : { kind: "pattern", trigger };
}

async function compileAll(sources: readonly string[]) {
  const compile = await loadPatterns();
  return sources.map((source) => ({ source, pattern: compile(source) }));
}

const COMPILED = new WeakMap<Skill, ReadonlyMap<string, CompiledPattern>>();

function longest(triggers: readonly string[] = []): readonly string[] {
  return triggers.toSorted((a, b) => b.length - a.length);
}
