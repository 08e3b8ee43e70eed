import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineSkill } from "../skill/define-skill.ts";
import type { Skill } from "../skill/skill.ts";
import { FIELDS, searchedTexts } from "./fields.ts";
import { perfectScore } from "./fit.ts";
import { decodeCount, encodeCount } from "./posting-numbers.ts";
import { createRankIndex, type RankIndex } from "./rank.ts";
import { SkillIndex } from "./skill-index.ts";
import { PAIR_SHARE } from "./term-weights.ts";
import { formsPairs, splitWords, toTerm } from "./words.ts";

const WORDS = [
  "pdf",
  "forms",
  "invoice",
  "invoices",
  "useState",
  "review",
  "reviews",
  "Café",
  "簡訊通知",
  "the",
  "x=y",
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(" ")),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const content = fc.record({ description: text, body: text });
const queries = fc.array(text, { minLength: 1, maxLength: 4 });

describe("an index", () => {
  test("ranks as counting and weighting every word of every skill for each query does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(content, { maxLength: 12 }), queries, fc.boolean(), async (contents, queries, body) => {
        const skills = contents.map((one, at) => fake(`skill-${at}`, one));
        const index = await createRankIndex(skills, { body });
        for (const query of queries) expect(index.search(query)).toEqual(await rankPlainly(skills, query, body));
      }),
    );
  });

  test("counts long instructions in parts as it would count them at once", async () => {
    const body = Array.from({ length: 40_000 }, (_, at) => `w${at % 977} Café${at % 7}`).join(" ");
    const skills = [fake("long", { description: "Long.", body }), fake("other", { description: "Other.", body: "w5" })];
    const index = await createRankIndex(skills);
    for (const query of ["w5", "café3 w976", "long w1"]) {
      expect(index.search(query)).toEqual(await rankPlainly(skills, query, true));
    }
  });

  test("finds the words around a megabyte without a space", async () => {
    const skills = [fake("blob", { description: "Blob.", body: `before ${"漢a".repeat(500_000)} after` })];
    const index = await createRankIndex(skills);
    for (const query of ["before", "after"]) expect(index.search(query)).toHaveLength(1);
  });

  test("ranks after any sequence of changes as a new index of the same skills", async () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant("add"), content }),
      fc.record({ kind: fc.constant("remove"), at: fc.nat() }),
      fc.record({ kind: fc.constant("change"), at: fc.nat(), content }),
      fc.record({ kind: fc.constant("move"), at: fc.nat() }),
    );
    const steps = fc.array(fc.array(change as fc.Arbitrary<Change>, { maxLength: 6 }), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, queries, async (steps, queries) => {
        const index = new SkillIndex({ body: true });
        const lists: { readonly skills: readonly Skill[]; readonly list: RankIndex }[] = [];
        let skills: readonly Skill[] = [];
        for (const changes of steps) {
          skills = changes.reduce(applyChange, skills);
          lists.push({ skills, list: await index.list(skills) });
        }
        // An older list still ranks its own skills.
        for (const { skills, list } of [...lists.slice(0, 3), ...lists.slice(-3)]) {
          const fresh = await createRankIndex(skills);
          for (const query of queries) expect(list.search(query)).toEqual(fresh.search(query));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("reads a skill again only if it changed", async () => {
    const reads: string[] = [];
    const tea = counted("tea", "1", reads);
    const index = new SkillIndex({ body: true });
    await index.list([tea, counted("coffee", "1", reads)]);
    await index.list([counted("tea", "1", reads)]);
    const list = await index.list([tea, counted("coffee", "2", reads), counted("cocoa", "1", reads)]);
    expect(reads).toEqual(["tea 1", "coffee 1", "coffee 2", "cocoa 1"]);
    expect(list.search("body").map(({ skill }) => skill.stamp)).toEqual(["1", "2", "1"]);
  });

  test("reads a skill without a stamp again if it is another object", async () => {
    const index = new SkillIndex({ body: true });
    await index.list([fake("tea", { description: "Tea.", body: "green" })]);
    const list = await index.list([fake("tea", { description: "Tea.", body: "black" })]);
    expect(list.search("green")).toEqual([]);
    expect(list.search("black")).toHaveLength(1);
  });

  test("reads instructions again that could not be read before", async () => {
    let isBroken = true;
    const instructions = async () => {
      if (isBroken) throw new Error("too many open files");
      return "green";
    };
    const tea = { ...fake("tea", { description: "Tea.", body: "" }), stamp: "1", instructions };
    const index = new SkillIndex({ body: true });
    expect((await index.list([tea])).search("green")).toEqual([]);
    isBroken = false;
    expect((await index.list([tea])).search("green")).toHaveLength(1);
  });

  test("shares the work of lists that are made at the same time", async () => {
    const reads: string[] = [];
    const index = new SkillIndex({ body: true });
    const lists = await Promise.all([1, 2, 3].map(() => index.list([counted("tea", "1", reads)])));
    expect(reads).toEqual(["tea 1"]);
    for (const list of lists) expect(list.search("tea")).toHaveLength(1);
  });

  test("does not keep what no list has contained for long", async () => {
    const index = new SkillIndex({ body: true });
    const reads: string[] = [];
    const first = Array.from({ length: 20 }, (_, at) => counted(`first-${at}`, "1", reads));
    await index.list(first);
    for (let at = 0; at < 20; at++) await index.list([counted(`second-${at}`, "1", reads)]);
    reads.length = 0;
    await index.list(first);
    expect(reads).toHaveLength(20);
  });

  test("finds a skill that is listed twice twice", async () => {
    const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." });
    const index = new SkillIndex({ body: true });
    for (const skills of [[tea], [tea, tea], [tea, tea, tea], [tea]]) {
      const found = (await index.list(skills)).search("tea");
      expect(found.map(({ skill }) => skill)).toEqual(skills);
    }
  });

  test("lets timers run while it indexes and merges", async () => {
    const body = Array.from({ length: 3_000 }, (_, at) => `word${at}`).join(" ");
    const skills = Array.from({ length: 300 }, (_, at) => fake(`skill-${at}`, { description: "Long.", body }));
    const index = new SkillIndex({ body: true });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await index.list(skills.slice(0, 150));
    await index.list(skills);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });
});

type Content = { readonly description: string; readonly body: string };
type Change =
  | { readonly kind: "add"; readonly content: Content }
  | { readonly kind: "remove" | "move"; readonly at: number }
  | { readonly kind: "change"; readonly at: number; readonly content: Content };

function applyChange(skills: readonly Skill[], change: Change): readonly Skill[] {
  if (change.kind === "add") return [...skills, fake(`skill-${skills.length}`, change.content)];
  const at = change.at % Math.max(1, skills.length);
  const chosen = skills[at];
  if (chosen === undefined) return skills;
  if (change.kind === "change") return skills.with(at, fake(chosen.name, change.content));
  const others = skills.toSpliced(at, 1);
  return change.kind === "move" ? [chosen, ...others] : others;
}

/** The ranking in a few lines, without an index. */
async function rankPlainly(skills: readonly Skill[], query: string, body: boolean) {
  const counts = await Promise.all(
    skills.map(async (skill) => countPlainly(skill, body ? await skill.instructions() : undefined)),
  );
  const words = new Map(
    splitWords(query)
      .toReversed()
      .map((word) => [toTerm(word), word]),
  );
  const terms = [...new Set(splitWords(query).map(toTerm))];
  const rarity = (term: string) => {
    const holders = Math.max(1, counts.filter((terms) => terms.has(term)).length);
    return Math.log(1 + (skills.length - holders + 0.5) / (holders + 0.5));
  };
  const perfect = perfectScore(terms.map(rarity));
  return skills
    .map((skill, at) => {
      const matched = terms.filter((term) => counts[at]?.has(term));
      const weightOf = (term: string, share: number) => {
        const count = decodeCount(encodeCount(counts[at]?.get(term) ?? 0));
        return Math.fround((share * rarity(term) * count) / (count + 5));
      };
      const scores = [
        ...[...new Set(pairsOf(splitWords(query)))].map((pair) => weightOf(pair, PAIR_SHARE)),
        ...matched.map((term) => weightOf(term, 1)),
      ];
      const score = scores.reduce((sum, score) => sum + score, 0);
      return {
        skill,
        score,
        fit: expect.closeTo(Math.min(1, score / perfect), 10),
        matched: matched.map((term) => words.get(term)),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 10);
}

function countPlainly(skill: Skill, body: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  const texts = searchedTexts(skill, body);
  for (const [at, { weight, lengthPenalty, usualWords, pairs }] of FIELDS.entries()) {
    const words = splitWords(texts[at] ?? "");
    const share = weight / (1 - lengthPenalty + (lengthPenalty * words.length) / usualWords);
    const terms = [...words.map(toTerm), ...(pairs ? pairsOf(words) : [])];
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + share);
  }
  return counts;
}

function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).flatMap((word, at) => {
    const pair = [words[at] ?? "", word];
    return pair.every(formsPairs) ? pair.map(toTerm).sort().join(" ") : [];
  });
}

function counted(name: string, stamp: string, reads: string[]): Skill {
  const instructions = async () => {
    reads.push(`${name} ${stamp}`);
    return "the body";
  };
  return { ...fake(name, { description: name, body: "" }), stamp, instructions };
}

function fake(name: string, { description, body }: Content): Skill {
  return {
    name,
    description,
    metadata: {},
    allowedTools: [],
    extra: {},
    modelInvocable: true,
    userInvocable: true,
    origin: { kind: "inline" },
    tools: [],
    files: { list: async () => [], read: async () => new Uint8Array() },
    instructions: async () => body,
    digest: async () => "",
  };
}
