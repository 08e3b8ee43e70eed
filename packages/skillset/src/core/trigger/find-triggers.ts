import { LIMITS } from "../base/limits.ts";
import { TimeSlices } from "../base/time-slices.ts";
import type { Skill } from "../skill/skill.ts";
import { normalise } from "../text/normalise.ts";
import { type CompiledPattern, loadPatterns } from "./patterns.ts";
import { type FoldedText, fold, foldText, hasPhrase, verbForms } from "./phrases.ts";

/** The kinds of triggers. An earlier one wins. */
const KINDS = ["keyword", "pattern", "verb"] as const;
export type TriggerKind = (typeof KINDS)[number];

/** A skill that a message triggers, and what in its frontmatter matched. */
export interface TriggerMatch {
  readonly skill: Skill;
  readonly kind: TriggerKind;
  /** The keyword, verb or pattern, as the author wrote it. */
  readonly trigger: string;
}

/**
 * Returns the skills that a message triggers, at most two: keywords before patterns before verbs, then the longer
 * trigger, then the order of the skills. Pauses, so that many skills and slow patterns do not block the program.
 */
export async function findTriggers(
  skills: readonly Skill[],
  message: string,
  signal?: AbortSignal,
): Promise<readonly TriggerMatch[]> {
  const text = normalise(message.slice(0, LIMITS.soft.triggerText), "NFC");
  const folded = foldText(text);
  const matches: TriggerMatch[] = [];
  const slices = new TimeSlices(signal);
  const patterns = new PatternSearch(text.slice(0, LIMITS.soft.patternText), slices);
  for (const skill of skills) {
    if (slices.isOver()) await slices.next();
    const match = findPhrase(skill, folded) ?? (await patterns.find(skill)) ?? findVerb(skill, folded);
    if (match !== undefined) matches.push({ skill, ...match });
  }
  const rank = ({ kind, trigger }: TriggerMatch): number => KINDS.indexOf(kind) * 10_000 - trigger.length;
  return matches.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_TRIGGERED);
}

const MOST_TRIGGERED = 2;

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

/** Compares the patterns of many skills with one text, within a time for all of them. */
class PatternSearch {
  readonly #text: string;
  readonly #slices: TimeSlices;
  #left: number = LIMITS.soft.patternTime;

  constructor(text: string, slices: TimeSlices) {
    this.#text = text;
    this.#slices = slices;
  }

  async find(skill: Skill): Promise<Found> {
    const sources = longest(skill.triggers?.patterns);
    if (sources.length === 0 || this.#left <= 0) return undefined;
    const compile = await loadPatterns();
    const compiled = COMPILED.get(skill) ?? new Map<string, Test>();
    COMPILED.set(skill, compiled);
    for (const trigger of sources) {
      if (this.#left <= 0) return undefined;
      if (this.#slices.isOver()) await this.#slices.next();
      const start = performance.now();
      const test = compiled.get(trigger) ?? testOf(compile(trigger));
      compiled.set(trigger, test);
      const isMatch = test(this.#text);
      this.#left -= performance.now() - start;
      if (isMatch) return { kind: "pattern", trigger };
    }
    return undefined;
  }
}

type Test = (text: string) => boolean;

/** Validation reports a pattern with a fault. The others still work. */
function testOf(pattern: CompiledPattern): Test {
  return "test" in pattern ? pattern.test : () => false;
}

const COMPILED = new WeakMap<Skill, Map<string, Test>>();

function longest(triggers: readonly string[] = []): readonly string[] {
  return triggers.toSorted((a, b) => b.length - a.length);
}
