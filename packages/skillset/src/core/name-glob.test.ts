import { expect, test } from "vitest";
import { compileNameGlob } from "./name-glob.ts";

test.each([
  ["pdf", "pdf", true],
  ["pdf", "pdf-forms", false],
  ["pdf-*", "pdf-forms", true],
  ["pdf-*", "pdf", false],
  ["*-deprecated", "old-deprecated", true],
  ["*", "anything", true],
  ["p?f", "pdf", true],
  ["p?f", "pddf", false],
  ["{csv,json}-*", "json-read", true],
  ["{csv,json}-*", "xml-read", false],
  ["[a-c]*", "beta", true],
  ["[!a-c]*", "beta", false],
  ["a.c", "abc", false],
  ["a+b(c)", "a+b(c)", true],
  ["***x", "yyx", true],
])("the pattern %s on the name %s gives %s", (pattern, name, expected) => {
  expect(compileNameGlob(pattern)(name)).toBe(expected);
});

test("an empty pattern is refused", () => {
  expect(() => compileNameGlob("")).toThrow("must be a text such as");
});
