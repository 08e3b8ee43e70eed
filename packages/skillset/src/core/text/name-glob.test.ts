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
])("the pattern %s on the name %s returns %s", (pattern, name, expected) => {
  expect(compileNameGlob(pattern)(name)).toBe(expected);
});

test("an empty pattern is rejected", () => {
  expect(() => compileNameGlob("")).toThrow("must be a string such as");
});

test("a hostile name is matched in bounded time", () => {
  expect(compileNameGlob("*-*-*-*-old")("-".repeat(16_000))).toBe(false);
});

test.each(["[z-a]*", "{a", "[", "{a,b}{c,d}"])("the odd pattern %s is not an error", (pattern) => {
  expect(() => compileNameGlob(pattern)("bd")).not.toThrow();
});

test("a pattern with too many alternatives is refused", () => {
  expect(() => compileNameGlob("{a,b}".repeat(20))).toThrow("too many alternatives");
});
