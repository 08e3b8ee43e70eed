import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Skill } from "../skill/skill.ts";
import { createRankIndex, type RankSearchOptions } from "./rank.ts";
import { findSimilar, type SimilarPair } from "./similar.ts";

const pdf = fake("pdf-forms", "Fills in and flattens PDF forms.", "Run the script with the AcroForm field names.");
const invoices = fake("invoices", "Writes invoices for customers.", "Attach the PDF to the e-mail.");
const review = fake("code-review", "Reviews a pull request for bugs.", "Look at `useOptimistic` and GitHub comments.");
const library = [invoices, pdf, review];

describe("a search", () => {
  test("puts a word in the name before the same word in a body", async () => {
    expect(await namesFor("pdf")).toEqual(["pdf-forms", "invoices"]);
  });

  test("finds a skill by a word that only its body has", async () => {
    expect(await namesFor("which acroform fields are there?")).toEqual(["pdf-forms"]);
  });

  test("does not read bodies with body: false", async () => {
    const unread = { ...pdf, instructions: () => Promise.reject(new Error("must not be read")) };
    const index = await createRankIndex([unread], { body: false });
    expect(index.search("acroform")).toEqual([]);
    expect(index.search("forms")).toHaveLength(1);
  });

  test("returns the matched words of the query, in order and once each", async () => {
    const index = await createRankIndex(library);
    const [best] = index.search("Please flatten, then fill the form: FORMS, flattens, PDF");
    expect(best?.skill).toBe(pdf);
    expect(best?.matched).toEqual(["flatten", "fill", "form", "pdf"]);
  });

  test("prefers the skill that has more of the words", async () => {
    expect(await namesFor("customers want bugs gone")).toHaveLength(2);
    expect((await namesFor("customers want bugs in a pull request gone"))[0]).toBe("code-review");
    expect((await namesFor("write to customers about bugs"))[0]).toBe("invoices");
  });

  test.each(["code review", "reviewing: review code!", "the review of the code"])(
    "prefers the skill whose name or description has the words next to each other: %s",
    async (query) => {
      const apart = fake("apart", "Writes code in tests before a review.");
      const near = fake("near", "Writes tests in a code review before.");
      expect(await namesFor(query, [apart, near])).toEqual(["near", "apart"]);
      expect(await namesFor(query, [near, apart])).toEqual(["near", "apart"]);
    },
  );

  test("does not prefer words next to each other in a body, or letters in a language without spaces", async () => {
    const bodies = [fake("apart", "Work.", "code before review"), fake("near", "Work.", "before code review")];
    expect(await namesFor("code review", bodies)).toEqual(["apart", "near"]);
    const letters = [fake("apart", "发送 送简 简讯"), fake("near", "发送简讯")];
    expect(await namesFor("发送简", letters)).toEqual(["apart", "near"]);
  });

  test.each(["invoice", "INVOICES", "ｉｎｖｏｉｃｅ"])("treats %s as the same word as invoices", async (query) => {
    expect(await namesFor(query)).toEqual(["invoices"]);
  });

  test.each(["useOptimistic", "optimistic", "github", "git hub"])("finds camel case by %s", async (query) => {
    expect(await namesFor(query)).toEqual(["code-review"]);
  });

  test("finds Chinese, Japanese and Korean text, which has no spaces, also next to Latin letters", async () => {
    const skills = [
      fake("sms", "透過API發送簡訊通知。"),
      fake("weather", "天気予報を調べます。"),
      fake("calendar", "회의일정을 관리합니다."),
    ];
    expect(await namesFor("幫我發送簡訊", skills)).toEqual(["sms"]);
    expect(await namesFor("api", skills)).toEqual(["sms"]);
    expect(await namesFor("明日の天気は？", skills)).toEqual(["weather"]);
    expect(await namesFor("일정", skills)).toEqual(["calendar"]);
  });

  test("treats composed and decomposed accents as the same letter", async () => {
    expect(await namesFor("cafe\u0301", [fake("breaks", "Finds a café nearby.")])).toEqual(["breaks"]);
  });

  test.each(["", "   ", "?!…", "how do i", "zzz-unknown"])("for %j finds nothing", async (query) => {
    expect(await namesFor(query)).toEqual([]);
  });

  test("of an empty library finds nothing", async () => {
    expect(await namesFor("pdf", [])).toEqual([]);
  });

  test("returns skills with equal scores in their original order", async () => {
    const twins = Array.from({ length: 50 }, (_, at) => fake("twin", "Says the same.", `${at}`));
    const index = await createRankIndex(twins, { body: false });
    expect(index.search("same", { limit: 50 }).map(({ skill }) => skill)).toEqual(twins);
    expect(index.search("same", { limit: 3 }).map(({ skill }) => skill)).toEqual(twins.slice(0, 3));
  });

  test("returns at most ten skills by default, or up to the limit", async () => {
    const many = Array.from({ length: 30 }, (_, at) => fake(`skill-${at}`, "Same for all."));
    expect(await namesFor("same", many)).toHaveLength(10);
    expect(await namesFor("same", many, { limit: 0 })).toHaveLength(0);
    expect(await namesFor("same", many, { limit: Number.POSITIVE_INFINITY })).toHaveLength(30);
  });

  test("leaves out skills below minScore", async () => {
    const index = await createRankIndex(library);
    const [best, second] = index.search("pdf");
    expect(best?.score).toBeGreaterThan(second?.score ?? Number.NaN);
    expect(index.search("pdf", { minScore: best?.score ?? 0 })).toEqual([best]);
  });

  test.each([
    ["different words", Array.from({ length: 20_000 }, (_, at) => at.toString(36)).join(" ")],
    ["one word", "a".repeat(100_000)],
    ["humps", "aB".repeat(50_000)],
    ["combining marks", `a${"\u0301\u0316".repeat(50_000)}`],
    ["marks that only decompose to combining ones", `a${"\uff9e\u0301".repeat(50_000)}`],
    ["ideographs", "漢字".repeat(50_000)],
    ["broken surrogates", "\ud800x\udc00".repeat(33_000)],
  ])("of 100,000 characters of %s ends", async (_, query) => {
    const index = await createRankIndex([...library, fake("hostile", "Has it all.", query)]);
    expect(index.search(`pdf ${query}`).map(({ skill }) => skill)).toContain(pdf);
  });

  test.each(["__proto__", "constructor", "toString"])("for %s finds only skills that have it", async (query) => {
    expect(await namesFor(query)).toEqual([]);
    expect(await namesFor(query, [...library, fake("odd", "Odd.", query)])).toEqual(["odd"]);
  });
});

describe("building an index", () => {
  test("still ranks a skill whose body cannot be read by its name and description", async () => {
    const unreadable = { ...pdf, instructions: () => Promise.reject(new Error("gone")) };
    expect(await namesFor("flatten forms", [invoices, unreadable])).toEqual(["pdf-forms"]);
    expect(await namesFor("invoices", [invoices, unreadable])).toEqual(["invoices"]);
  });

  test("reads nothing when it is already aborted", async () => {
    let reads = 0;
    const skill = { ...pdf, instructions: async () => `${++reads}` };
    const reason = new Error("no longer needed");
    await expect(createRankIndex([skill], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(reads).toBe(0);
  });

  test("stops when it is aborted while reading bodies, and passes the signal on", async () => {
    const controller = new AbortController();
    const reason = new Error("no longer needed");
    let reads = 0;
    const skills = Array.from({ length: 100 }, (): Skill => {
      const instructions: Skill["instructions"] = async ({ signal } = {}) => {
        expect(signal).toBe(controller.signal);
        if (++reads === 20) controller.abort(reason);
        signal?.throwIfAborted();
        return "text";
      };
      return { ...pdf, instructions };
    });
    await expect(createRankIndex(skills, { signal: controller.signal })).rejects.toBe(reason);
    expect(reads).toBeLessThan(50);
  });

  test("lets timers run in between, so that a deadline can stop it", async () => {
    const body = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(" ");
    const skills = Array.from({ length: 2_000 }, (_, at) => fake(`skill-${at}`, "Long.", body));
    const signal = AbortSignal.timeout(30);
    await expect(createRankIndex(skills, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("reads at most sixteen bodies at once", async () => {
    let [open, most] = [0, 0];
    const instructions = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
      return "text";
    };
    await createRankIndex(Array.from({ length: 40 }, () => ({ ...pdf, instructions })));
    expect(most).toBe(16);
  });
});

describe("similar skills", () => {
  const copied = fake("pdf-forms-2", pdf.description);

  test("are those with nearly the same words, and no others", () => {
    const [pair, ...rest] = findSimilar([...library, copied]);
    expect(rest).toEqual([]);
    expect(pair).toMatchObject({ a: pdf, b: copied });
    expect(pair?.similarity).toBeGreaterThan(0.8);
    expect(pair?.similarity).toBeLessThan(1);
  });

  test("are found under another name too", () => {
    const renamed = fake("acrobat", pdf.description);
    expect(findSimilar([...library, renamed])).toMatchObject([{ a: pdf, b: renamed }]);
  });

  test("have similarity 1 when they use the same words", () => {
    const [pair] = findSimilar([pdf, { ...pdf }]);
    expect(pair?.similarity).toBeCloseTo(1, 5);
    expect(pair?.similarity).toBeLessThanOrEqual(1);
  });

  test("are not two that only share a topic or a way of writing", () => {
    const skills = [
      fake("rust", "Guide for Rust. Use when writing Rust code or setting up Rust projects."),
      fake("zig", "Guide for Zig. Use when writing Zig code or setting up Zig projects."),
      fake("sql-review", "Reviews SQL queries for slow joins and missing indexes."),
      fake("sql-migrate", "Plans database migrations in SQL without downtime."),
    ];
    expect(findSimilar(skills)).toEqual([]);
  });

  test("are sorted by similarity", () => {
    const looser = fake("pdf-forms", "Fills in and flattens PDF forms and checks them.");
    const similarities = findSimilar([pdf, looser, copied, { ...pdf }], { threshold: 0.5 }).map(
      (pair) => pair.similarity,
    );
    expect(similarities).toHaveLength(6);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
  });

  test("are a bounded list, however many copies there are", () => {
    expect(findSimilar(Array.from({ length: 3_000 }, () => pdf))).toHaveLength(1000);
  });

  test("are empty without words", () => {
    expect(findSimilar([])).toEqual([]);
    expect(findSimilar([fake("", ""), fake("", "")])).toEqual([]);
  });

  test("are the same whether common words are compared or left out", () => {
    const word = fc.constantFrom("pdf", "form", "invoice", "review", "code", "request", "fill", "write");
    const skill = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .map(([first = "", ...rest]) => fake(first, rest.join(" ")));
    const threshold = fc.double({ min: 0.2, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(fc.array(skill, { maxLength: 10 }), threshold, (skills, threshold) => {
        const places = (pairs: readonly SimilarPair[]) =>
          pairs.map(({ a, b }) => `${skills.indexOf(a)} and ${skills.indexOf(b)}`).sort();
        const all = findSimilar(skills, { threshold: 0.01 });
        expect(places(findSimilar(skills, { threshold }))).toEqual(
          places(all.filter(({ similarity }) => similarity >= threshold)),
        );
      }),
    );
  });
});

async function namesFor(query: string, skills: readonly Skill[] = library, options?: RankSearchOptions) {
  const index = await createRankIndex(skills);
  return index.search(query, options).map(({ skill }) => skill.name);
}

function fake(name: string, description: string, body = ""): Skill {
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
