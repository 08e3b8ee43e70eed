import { createRankIndex } from "../../packages/skillset/src/core/search/rank.ts";
import type { Skill } from "../../packages/skillset/src/core/skill/skill.ts";

/** Returns the ten best skills, best first. */
export type Search = (query: string) => readonly Skill[];

/** What builds each search. */
export const contenders = {
  tfIdf: async (skills) => searchPostings(skills, toTfIdf(await countAll(skills, splitPlainly))),
  before: async (skills) => searchPostings(skills, toFieldWeights(await countAll(skills, splitAsBefore))),
  now: (skills) => createOurs(skills, true),
  short: (skills) => createOurs(skills, false),
} satisfies Record<string, (skills: readonly Skill[]) => Promise<Search>>;

async function createOurs(skills: readonly Skill[], body: boolean): Promise<Search> {
  const index = await createRankIndex(skills, { body });
  return (query) => index.search(query).map(({ skill }) => skill);
}

type Split = (text: string) => string[];
type Counted = { readonly split: Split; readonly fields: readonly (readonly Map<string, number>[])[] };
type Weighted = { readonly split: Split; readonly vectors: readonly ReadonlyMap<string, number>[] };

/** Counts the words of every skill's name, description and body. */
async function countAll(skills: readonly Skill[], split: Split): Promise<Counted> {
  const texts = skills.map(async (skill) => [skill.name, skill.description, await skill.instructions()]);
  return { split, fields: (await Promise.all(texts)).map((fields) => fields.map((text) => countWords(split(text)))) };
}

/** Textbook ranking: cosine of word counts times inverse document frequency, with unchanged words. */
function toTfIdf({ split, fields }: Counted): Weighted {
  const counts = fields.map((parts) => mergeCounts(parts, () => 1));
  const holders = countHolders(counts);
  const vectors = counts.map((words) => {
    const weights = Array.from(words, ([word, count]): [string, number] => [
      word,
      count * Math.log(counts.length / (holders.get(word) ?? 1)),
    ]);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(
      weights.map(([word, weight]) => [word, (weight / length) * Math.log(counts.length / (holders.get(word) ?? 1))]),
    );
  });
  return { split, vectors };
}

/** The ranking before it knew when to use a skill: BM25F over name, description and body. */
function toFieldWeights({ split, fields }: Counted): Weighted {
  const parameters = [
    { weight: 15, penalty: 0.3, usual: 3 },
    { weight: 5, penalty: 0.5, usual: 33 },
    { weight: 1, penalty: 0.8, usual: 900 },
  ] as const;
  const counts = fields.map((parts) =>
    mergeCounts(parts, (length, field) => {
      const { weight, penalty, usual } = parameters[field as 0 | 1 | 2];
      return weight / (1 - penalty + (penalty * length) / usual);
    }),
  );
  const holders = countHolders(counts);
  const rarity = (word: string) => {
    const having = holders.get(word) ?? 0;
    return Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
  };
  const vectors = counts.map(
    (words) => new Map(Array.from(words, ([word, count]) => [word, (rarity(word) * count) / (count + 5)])),
  );
  return { split, vectors };
}

function searchPostings(skills: readonly Skill[], { split, vectors }: Weighted): Search {
  const postings = new Map<string, [at: number, weight: number][]>();
  for (const [at, vector] of vectors.entries()) {
    for (const [word, weight] of vector) {
      const list = postings.get(word);
      if (list) list.push([at, weight]);
      else postings.set(word, [[at, weight]]);
    }
  }
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of new Set(split(query))) {
      for (const [at, weight] of postings.get(word) ?? []) scores.set(at, (scores.get(at) ?? 0) + weight);
    }
    const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10);
    return best.flatMap(([at]) => skills[at] ?? []);
  };
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function mergeCounts(
  parts: readonly ReadonlyMap<string, number>[],
  shareOf: (length: number, field: number) => number,
): Map<string, number> {
  const merged = new Map<string, number>();
  for (const [field, counts] of parts.entries()) {
    const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const share = shareOf(length, field);
    for (const [word, count] of counts) merged.set(word, (merged.get(word) ?? 0) + count * share);
  }
  return merged;
}

function countHolders(counts: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  return countWords(counts.flatMap((words) => [...words.keys()]));
}

function splitPlainly(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words with their plural removed, pairs of Chinese, Japanese and Korean letters, and only English stop words. */
function splitAsBefore(text: string): string[] {
  const paired = text.normalize("NFKC").replace(CJK, (run) => {
    const letters = Array.from(run);
    return ` ${
      letters
        .slice(1)
        .map((letter, at) => letters[at] + letter)
        .join(" ") || run
    } `;
  });
  return (paired.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((run) => {
    const parts = run.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return (parts.length > 1 ? [run, ...parts] : [run]).flatMap((part) => {
      const word = part.toLowerCase();
      if (STOPWORDS.has(word)) return [];
      return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
    });
  });
}

const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;
const STOPWORDS = new Set(
  (
    "a an and are as at be by can do does for from has have how i if in is it its my not of on or our s should t " +
    "that the this to we what when which will with you your"
  ).split(" "),
);
