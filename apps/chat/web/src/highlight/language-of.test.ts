import { expect, test } from "vitest";
import { languageOf } from "./language-of.ts";
import { LANGUAGES } from "./languages.ts";

test.each([
  ["ts", "tsx"],
  ["Python", "python"],
  ["scripts/sum.py", "python"],
  ["assets/data.json", "json"],
  ["Dockerfile", "docker"],
  ["bash", "shellscript"],
])("the grammar of %s is %s", (label, grammar) => {
  expect(languageOf(label)).toBe(grammar);
  expect(LANGUAGES).toHaveProperty(grammar);
});

test.each(["", "code", "klingon", "notes.txt", "constructor"])("%j has no grammar", (label) => {
  expect(languageOf(label)).toBeUndefined();
});
