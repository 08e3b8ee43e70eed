import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SkillSource } from "../../packages/skillset/src/index.ts";
import { type ContractSource, sourceContract } from "../../packages/testing/src/index.ts";
import { folder, mcp, skillset } from "./sources/folders.ts";
import { memory } from "./sources/memory.ts";

const sources = [folder, memory({ isFollowed: true }), memory({ isFollowed: false }), mcp, skillset];

describe.for(sources)("$name", (source) => {
  for (const { id, title, needs, run } of sourceContract) {
    const reason = needs && source.lacks?.[needs];
    if (reason === undefined) test(`${id}: ${title}`, () => run(source));
  }
});

describe("the contract of a source", () => {
  test("has scenarios with different ids", () => {
    expect(new Set(sourceContract.map(({ id }) => id)).size).toBe(sourceContract.length);
  });

  test("needs every capability that a source lacks", () => {
    const needed = sourceContract.map(({ needs }) => needs as string);
    for (const { lacks = {} } of sources) expect(needed).toEqual(expect.arrayContaining(Object.keys(lacks)));
  });
});

test("no rule in core, adapter, mcp or node depends on the kind of a skill's origin", () => {
  const root = "packages/skillset/src";
  const files = ["core", "adapter", "mcp", "node"].flatMap((layer) =>
    readdirSync(join(root, layer), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .map((path) => join(root, layer, path)),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.filter((path) => /origin\??\.kind\s*[!=]=|switch \([^)]*origin/.test(readFileSync(path, "utf8"))),
  ).toEqual([]);
});

describe("a source with a mistake does not pass", () => {
  const scenario = (wanted: string) => sourceContract.find(({ id }) => id === wanted);

  /** The memory source with one mistake. */
  const mistaken = (change: Partial<SkillSource>): ContractSource => ({
    name: "mistaken",
    open: async (files) => {
      const place = await memory({ isFollowed: true }).open(files);
      return { ...place, input: { ...(place.input as SkillSource), ...change } };
    },
  });

  test.each<[string, string, Partial<SkillSource>]>([
    ["bytes", "read() returns other bytes", { read: async () => "Something else." }],
    ["list", "list() leaves skills out", { list: async () => [] }],
    ["reload", "fingerprint() does not change", { fingerprint: async () => "always" }],
    ["failure", "an error is swallowed", { list: async () => [], fingerprint: async () => String(Math.random()) }],
  ])("%s: %s", async (id, _, change) => {
    await expect(scenario(id)?.run(mistaken(change))).rejects.toMatchObject({ name: "AssertionError" });
  });
});
