import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from "ai/test";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import type { Problem } from "../base/problem.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { Skill } from "../skill/skill.ts";
import type { Skillset } from "../skillset.ts";
import type { Embedding, EmbedFunction } from "./embedding.ts";

const SYNONYMS = [
  ["cat", "feline", "kitten"],
  ["dog", "puppy"],
  ["invoice", "bill"],
  ["bread", "loaf"],
  ["boat", "ship"],
];
/** One number for each group of synonyms: deterministic, unlike a real model. */
const toVector = (text: string): number[] =>
  SYNONYMS.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length);
const embed = async (texts: readonly string[]) => texts.map(toVector);
const recorded =
  (seen: string[]): EmbedFunction =>
  (texts) => {
    seen.push(...texts);
    return embed(texts);
  };
const skill = (name: string, description: string): Skill => defineSkill({ name, description, body: "" });
const skills = [
  skill("dog-care", "Cares for a dog."),
  skill("cat-care", "Cares for a cat."),
  skill("pay-invoices", "Pays every invoice."),
  skill("bake-bread", "Bakes bread."),
  skill("sail-boats", "Sails a boat."),
];

let problems: Problem[] = [];
beforeEach(() => {
  problems = [];
});
afterEach(() => {
  vi.useRealTimers();
});
const load = (embedding: Embedding, inputs: readonly Skill[] = skills) =>
  createSkillset(inputs, { embedding, onProblem: (problem) => problems.push(problem) });
const names = async (skillset: Skillset, query: string) =>
  (await skillset.rank(query, { limit: 2 })).map(({ skill: { name } }) => name);
const asModel = (options: { readonly maxEmbeddingsPerCall?: number; readonly supportsParallelCalls?: boolean } = {}) =>
  new MockEmbeddingModelV4({
    ...options,
    doEmbed: async ({ values }) => ({ embeddings: values.map(toVector), warnings: [] }),
  });

describe("an embedding model", () => {
  test("finds a synonym that the words miss", async () => {
    expect(await names(await createSkillset(skills), "my kitten")).toEqual([]);
    const skillset = await load(embed);
    const [first] = await skillset.rank("my kitten");
    expect(first).toMatchObject({ skill: { name: "cat-care" }, fit: 1, matched: [] });
    expect(problems).toEqual([]);
  });

  test.each([
    ["V4", asModel()],
    [
      "V3",
      new MockEmbeddingModelV3({
        doEmbed: async ({ values }) => ({ embeddings: values.map(toVector), warnings: [] }),
      }),
    ],
  ])("can be one of the AI SDK with specification %s", async (_, model) => {
    expect(await names(await load(model), "a puppy")).toEqual(["dog-care"]);
    expect(problems).toEqual([]);
  });

  test("keeps what the words find", async () => {
    const found = await (await load(embed)).rank("bakes loaf");
    expect(found[0]).toMatchObject({ skill: { name: "bake-bread" }, fit: 1, matched: ["bakes"] });
    expect(found[0]?.score).toBeGreaterThan((await (await createSkillset(skills)).rank("bakes loaf"))[0]?.score ?? 0);
  });

  test("says that nothing fits by a low fit", async () => {
    expect(await (await load(embed)).rank("quantum physics")).toEqual([]);
    const dense: EmbedFunction = async (texts) => texts.map((text) => [10, ...toVector(text)]);
    const found = await (await load(dense)).rank("quantum physics");
    expect(found.every(({ fit }) => fit < 0.2)).toBe(true);
    expect((await (await load(dense)).rank("kitten"))[0]).toMatchObject({ skill: { name: "cat-care" } });
  });

  test("serves searches and suggestions of a session", async () => {
    const session = await (await load(embed)).session();
    const options = { suggest: true, catalog: { budget: { tokens: 20 } } } as const;
    const { messages } = await session.turn([{ role: "user", text: "Is a kitten allowed milk?" }], options);
    expect(messages[0]?.text).toContain("<name>cat-care</name>");
  });

  test("gets names and descriptions, never instructions", async () => {
    const seen: string[] = [];
    const remote: Skill = { ...skill("a", "A."), isRemote: true, instructions: () => Promise.reject(new Error("No.")) };
    const other = defineSkill({ name: "b", description: "B.", body: "SECRET" });
    await (await load(recorded(seen), [remote, other])).rank("query");
    expect(seen.sort()).toEqual(["a\nA.", "b\nB.", "query"]);
  });

  test("is called within its limits, and once for the clauses of a message", async () => {
    const model = asModel({ maxEmbeddingsPerCall: 2, supportsParallelCalls: false });
    const skillset = await load(model);
    await skillset.rank("cat");
    expect(model.doEmbedCalls.map(({ values }) => values.length).sort()).toEqual([1, 1, 2, 2]);
    const { length } = model.doEmbedCalls;
    await Promise.all([skillset.rank("dog"), skillset.rank("bread")]);
    expect(model.doEmbedCalls.slice(length).map(({ values }) => values)).toEqual([["dog", "bread"]]);
  });
});

describe("vectors of skills", () => {
  test("are kept over a reload and in filtered sets: only what is new is embedded", async () => {
    const model = asModel();
    const skillset = await load(model);
    await skillset.rank("cat");
    const { skillset: reloaded } = await skillset.reload();
    await reloaded.rank("cat");
    await reloaded.filter({ disabled: ["dog-care"] }).rank("cat");
    expect(model.doEmbedCalls.flatMap(({ values }) => values).filter((text) => text.includes("\n"))).toHaveLength(5);
  });

  test("come from the cache of the host, by a digest of model and text", async () => {
    const kept = new Map<string, readonly number[]>();
    const cache = {
      get: async (key: string) => kept.get(key),
      set: (key: string, one: readonly number[]) => void kept.set(key, one),
    };
    await (await load({ model: embed, cache, id: "own" })).rank("cat");
    expect([...kept.keys()].every((key) => /^sha256:[0-9a-f]{64}$/.test(key))).toBe(true);
    const seen: string[] = [];
    const model: EmbedFunction = recorded(seen);
    expect(await names(await load({ model, cache, id: "own" }), "kitten")).toEqual(["cat-care"]);
    expect(seen).toEqual(["kitten"]);
    await (await load({ model, cache, id: "other" })).rank("cat");
    expect(seen).toHaveLength(7);
  });

  test("need a name for the model if there is a cache and the model has none", async () => {
    const cache = { get: async () => undefined, set: async () => {} };
    await expect(load({ model: embed, cache })).rejects.toThrow("'embedding.cache' needs 'embedding.id'");
  });

  test("are embedded if the cache fails", async () => {
    const fail = () => Promise.reject(new Error("disk"));
    expect(await names(await load({ model: embed, id: "own", cache: { get: fail, set: fail } }), "kitten")).toEqual([
      "cat-care",
    ]);
    expect(problems).toEqual([]);
  });
});

describe("the ranking by words is returned and the cause is reported once if the model", () => {
  test.each<[string, EmbedFunction, string]>([
    ["rejects", () => Promise.reject(new Error("quota exceeded")), "failed: quota exceeded. Skills are ranked"],
    [
      "throws",
      () => {
        throw new Error("no key");
      },
      "failed: no key.",
    ],
    ["returns too few vectors", async () => [[1, 2]], "returned 1 vectors for 5 texts"],
    ["returns no list", async () => undefined as never, "returned no list of vectors for"],
    [
      "returns vectors of different length",
      async (texts) => texts.map((_, at) => [1, 2, 3].slice(at % 2)),
      "vectors of 3 and of 2 numbers",
    ],
    [
      "returns another length for the query",
      async (texts) => texts.map((text) => (text === "cat" ? [1] : [1, 2])),
      "vectors of 1 and of 2 numbers",
    ],
    ["returns NaN", async (texts) => texts.map(() => [1, Number.NaN]), "empty or has values that are not numbers"],
    ["returns texts", async (texts) => texts.map(() => ["x"] as never), "empty or has values that are not numbers"],
    ["returns empty vectors", async (texts) => texts.map(() => []), "empty or has values that are not numbers"],
  ])("%s", async (_, model, message) => {
    const skillset = await load(model);
    expect(await names(skillset, "cat")).toEqual(["cat-care"]);
    expect(await names(skillset, "dog")).toEqual(["dog-care"]);
    expect(problems).toMatchObject([{ code: "embedding-failed", severity: "warning" }]);
    expect(problems[0]?.message).toContain(message);
  });

  test("does not answer a query in time, and is left alone for a while", async () => {
    const queries: string[] = [];
    const model: EmbedFunction = (texts) => {
      if (texts[0]?.includes("\n")) return embed(texts);
      queries.push(...texts);
      return new Promise(() => {});
    };
    const skillset = await load({ model, timeout: 20 });
    expect(await names(skillset, "cat")).toEqual(["cat-care"]);
    expect(await names(skillset, "dog")).toEqual(["dog-care"]);
    expect(queries).toEqual(["cat"]);
    expect(problems.map(({ message }) => message)).toEqual([
      "The embedding model did not answer within 0.02 seconds. Skills are ranked by their words alone.",
    ]);
  });

  test("is still embedding the skills, and its vectors are used once they are there", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const model: EmbedFunction = async (texts) => {
      if (texts[0]?.includes("\n")) await promise;
      return embed(texts);
    };
    const skillset = await load({ model, timeout: 20 });
    expect(await names(skillset, "kitten")).toEqual([]);
    expect(await names(skillset, "kitten")).toEqual([]);
    expect(problems).toMatchObject([{ message: expect.stringContaining("is still embedding the skills") }]);
    resolve();
    await vi.waitFor(async () => expect(await names(skillset, "kitten")).toEqual(["cat-care"]));
  });

  test("recovers: it is asked again after half a minute", async () => {
    let isBroken = true;
    const model: EmbedFunction = (texts) => (isBroken ? Promise.reject(new Error("down")) : embed(texts));
    const skillset = await load(model);
    expect(await names(skillset, "kitten")).toEqual([]);
    isBroken = false;
    expect(await names(skillset, "kitten")).toEqual([]);
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 30_001);
    expect(await names(skillset, "kitten")).toEqual(["cat-care"]);
    vi.restoreAllMocks();
    expect(problems).toHaveLength(1);
  });
});

test("an abort ends the search, and the others continue", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const skillset = await load(async (texts) => promise.then(() => embed(texts)));
  const controller = new AbortController();
  const stopped = skillset.rank("kitten", { signal: controller.signal });
  const other = names(skillset, "kitten");
  controller.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  resolve();
  expect(await other).toEqual(["cat-care"]);
});

test.each([
  ["openai/text-embedding-3-small", "not the text 'openai/text-embedding-3-small'"],
  [{ model: {} }, "must be an AI SDK embedding model or a function, not object"],
  [null, "must be an AI SDK embedding model or a function"],
  [{ model: embed, timeout: 0 }, "'embedding.timeout' must be over 0, not 0"],
])("%j is not an embedding", async (embedding, message) => {
  await expect(load(embedding as never)).rejects.toThrow(message);
});
