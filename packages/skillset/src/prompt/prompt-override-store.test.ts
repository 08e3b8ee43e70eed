import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import {
  MarkdownSection,
  type MarkdownSectionOptions,
  Prompt,
  PromptOverrideStore,
  PromptTemplate,
  type StaleOverride,
} from "./index.ts";

const templateWith = (task: Partial<MarkdownSectionOptions> = {}, key = "code") => {
  const child = new MarkdownSection({ title: "Style", key: "style", template: "Be kind." });
  const options = { title: "Task", key: "task", template: "Review $repo.", children: [child], ...task };
  return new PromptTemplate({ ns: "review", key, sections: [new MarkdownSection(options)] });
};
const TEMPLATE = templateWith();
const REMOVED = new PromptTemplate({ ns: "review", key: "code", sections: [] });

describe.each(["memory", "a file"])("a store in %s", (kind) => {
  const file = () => join(temporaryFolder(), "overrides.json");
  const open = () => new PromptOverrideStore(kind === "memory" ? {} : { file: file() });

  test("returns what render needs, by prompt and tag", async () => {
    const store = open();
    await store.set(TEMPLATE, "task", "Review $repo for security.");
    await store.set(TEMPLATE, "task.style", "Be brief.", { tag: "short" });
    const overrides = await store.load(TEMPLATE);
    expect(overrides).toEqual({ task: "Review $repo for security." });
    expect(new Prompt(TEMPLATE).bind({ repo: "shop" }).render({ overrides }).text).toContain("shop for security.");
    expect(await store.load(TEMPLATE, { tag: "short" })).toEqual({ "task.style": "Be brief." });
    expect(await store.load(TEMPLATE, { tag: "none" })).toEqual({});
    expect(await store.load(templateWith({}, "other"))).toEqual({});
  });

  test("replaces and deletes, and loses none of many changes at once", async () => {
    const store = open();
    await store.set(TEMPLATE, "task", "One.");
    await Promise.all([
      store.set(TEMPLATE, "task", "Two."),
      store.set(TEMPLATE, "task.style", "Short."),
      store.set(TEMPLATE, "task", "Three.", { tag: "next" }),
    ]);
    expect(await store.load(TEMPLATE)).toEqual({ task: "Two.", "task.style": "Short." });
    await store.delete(TEMPLATE, "task");
    expect(await store.load(TEMPLATE)).toEqual({ "task.style": "Short." });
    expect(await store.load(TEMPLATE, { tag: "next" })).toEqual({ task: "Three." });
  });

  test.each([
    ["changed", templateWith({ template: "Review $repo today." })],
    ["refused", templateWith({ acceptsOverrides: false })],
    ["removed", REMOVED],
  ])("refuses or reports an override whose section was %s", async (reason, now) => {
    const store = open();
    await store.set(TEMPLATE, "task", "Mine.");
    await expect(store.load(now)).rejects.toThrow("prompt 'review/code' with the tag 'latest' are stale for 'task'");
    await expect(store.load(now)).rejects.toMatchObject({ code: "prompt-invalid", places: ["task"] });
    const stale: StaleOverride[] = [];
    expect(await store.load(now, { onStale: (one) => stale.push(one) })).toEqual({});
    expect(stale).toEqual([{ key: "task", tag: "latest", text: "Mine.", reason }]);
    expect(await store.load(TEMPLATE)).toEqual({ task: "Mine." });
  });

  test("keeps what is not stale beside what is", async () => {
    const store = open();
    await store.set(TEMPLATE, "task", "Mine.");
    await store.set(TEMPLATE, "task.style", "Short.");
    const now = templateWith({ template: "Another one." });
    expect(await store.load(now, { onStale: () => {} })).toEqual({ "task.style": "Short." });
  });

  test.each([
    ["an unknown section", TEMPLATE, "tusk", "Mine.", "There is no section 'tusk'"],
    ["a section that accepts none", templateWith({ acceptsOverrides: false }), "task", "Mine.", "accepts no overrides"],
    ["a broken template", TEMPLATE, "task", "Costs 5 $.", "task"],
  ])("stores no override for %s", async (_what, template, key, text, message) => {
    const store = open();
    await expect(store.set(template, key, text)).rejects.toThrow(message);
    expect(await store.load(template)).toEqual({});
  });
});

test("a file is read by other stores, contains the hashes, and leaves no other file behind", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "overrides.json");
  await new PromptOverrideStore({ file }).set(TEMPLATE, "task", "Mine.");
  expect(await new PromptOverrideStore({ file }).load(TEMPLATE)).toEqual({ task: "Mine." });
  expect(readdirSync(folder)).toEqual(["overrides.json"]);
  const stored = { prompt: "review/code", tag: "latest", section: "task", text: "Mine." };
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    version: 1,
    overrides: [{ ...stored, base: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
  });
});

test.each([
  ["text", "the file is not JSON"],
  ["null", "its version must be 1"],
  ['{"version":2,"overrides":[]}', "its version must be 1"],
  ['{"version":1,"overrides":[{"prompt":"review/code"}]}', "'overrides' must be a list of"],
])("the file %j is refused, and stays as it is", async (text, message) => {
  const file = join(temporaryFolder({ "overrides.json": text }), "overrides.json");
  const store = new PromptOverrideStore({ file });
  await expect(store.load(TEMPLATE)).rejects.toThrow(message);
  await expect(store.set(TEMPLATE, "task", "Mine.")).rejects.toThrow(message);
  expect(readFileSync(file, "utf8")).toBe(text);
  writeFileSync(file, '{"version":1,"overrides":[]}');
  await store.set(TEMPLATE, "task", "Mine.");
  expect(await store.load(TEMPLATE)).toEqual({ task: "Mine." });
});
