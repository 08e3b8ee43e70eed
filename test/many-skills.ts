import { capitalize, nouns, verbs, writeSentence } from "../bench/corpus/prose.ts";
import { createRandom, type Random } from "../bench/corpus/random.ts";
import type { ScriptStep } from "../packages/testing/src/index.ts";

/** A generated skill, and a request for it in words of its description. */
export interface MadeSkill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly request: string;
}

/**
 * Makes different skills from one vocabulary: about a hundred verbs and two hundred nouns, so that each word of a
 * description is in dozens of others, and in hundreds of bodies. The same seed makes the same skills.
 */
export function makeSkills(count: number, seed = 1): readonly MadeSkill[] {
  const random = createRandom(seed);
  const taken = new Set<string>();
  return Array.from({ length: count }, () => {
    const verb = random.pick(verbs);
    const [thing = "", part = "", place = "", other = ""] = pickSome(random, nouns, 4);
    const words = [verb, thing];
    if (taken.has(words.join("-"))) words.push(part);
    while (taken.has(words.join("-"))) words.push(random.pick(nouns));
    const name = words.join("-");
    taken.add(name);
    const description =
      `${capitalize(verb)} the ${part} of a ${thing} in the ${place}. ` +
      `Use when somebody asks to ${verb} a ${thing}, or mentions the ${other}.`;
    const [one, two, three, four] = pickSome(random, [verb, thing, part, place, other], 4);
    const request = `${one}, ${two}, ${three} and ${four}`;
    const body = [`# ${capitalize(name)}`, `${capitalize(verb)} the ${thing}.`, ...sentences(random)].join("\n\n");
    return { name, description, body, request };
  });
}

function sentences(random: Random): readonly string[] {
  return Array.from({ length: 3 + random.below(6) }, () => writeSentence(random));
}

/** Picks some of the skills, and prints the seed with which the same ones are picked again. */
export function pickSkills(skills: readonly MadeSkill[], count: number): readonly MadeSkill[] {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  console.log(`${count} of ${skills.length} skills, picked with SEED=${seed}`);
  const clear = skills.filter((skill) => isClear(skill, skills));
  return pickSome(createRandom(seed), clear, count);
}

/** Whether only one description has all words of the request. About one request in two thousand fits another skill too. */
function isClear({ request }: MadeSkill, skills: readonly MadeSkill[]): boolean {
  const words = request.split(/, | and /);
  const fits = ({ description }: MadeSkill): boolean => words.every((word) => description.toLowerCase().includes(word));
  return skills.filter(fits).length === 1;
}

function pickSome<Item>(random: Random, items: readonly Item[], count: number): readonly Item[] {
  const picked = new Set<Item>();
  while (picked.size < count) picked.add(random.pick(items));
  return [...picked];
}

/**
 * A step of a model that only knows what it was sent: it searches with the user's words, activates the result whose
 * description has most of them, and then answers.
 */
export function searchingStep(names: { readonly search: string; readonly activate: string }): ScriptStep {
  return ({ messages, toolResults: [found, activated] }) => {
    const asked = messages.findLast(({ role }) => role === "user")?.text ?? "";
    if (found === undefined) return { call: names.search, input: { query: asked } };
    if (activated === undefined) return { call: names.activate, input: { name: bestOf(found.text, wordsOf(asked)) } };
    return { say: "Done." };
  };
}

function bestOf(results: string, wanted: readonly string[]): string {
  const lines = Array.from(results.matchAll(/^- \*\*(.+?)\*\*: (.*) \(matches: .*\)$/gm));
  const scored = lines.map(([, name = "", description = ""]) => {
    const words = new Set(wordsOf(description));
    return { name, score: wanted.filter((word) => words.has(word)).length };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.name ?? "nothing was found";
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}
