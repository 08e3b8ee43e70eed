import { expect, test } from "vitest";
import { keepTexSource } from "./tex-source.ts";

test.each([
  ["so \\(a_1 * b_1\\) holds", "so `\\(a_1 * b_1\\)` holds"],
  ["\\(\\frac{1}{2}\\) and \\(x\\)", "`\\(\\frac{1}{2}\\)` and `\\(x\\)`"],
  ["\\[\nx^2\n\\]", "`\\[ x^2 \\]`"],
])("formulas in %j become code", (text, shown) => {
  expect(keepTexSource(text)).toBe(shown);
});

test.each([
  "`\\(x\\)` and ``a ` \\(y\\)``",
  "```tex\n\\(x\\)\n```",
  "```tex\n\\(x\\)",
  "\\[not a link\\](https://example.com)",
  "1\\) one",
  "call\\(",
])("%j is unchanged", (text) => {
  expect(keepTexSource(text)).toBe(text);
});
