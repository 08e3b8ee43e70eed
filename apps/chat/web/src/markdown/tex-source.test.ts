import { expect, test } from "vitest";
import { withCpuTime } from "../../../../../test/cpu-time.ts";
import { markTex, texIn } from "./tex-source.ts";

/** Shows the mark as a section sign. */
const marked = (text: string) => markTex(text).replaceAll("\u{E000}", "§");

test.each([
  ["so \\(a_1 * b_1\\) holds", "so `§\\(a_1 * b_1\\)` holds"],
  ["\\(\\frac{1}{2}\\) and \\(x\\)", "`§\\(\\frac{1}{2}\\)` and `§\\(x\\)`"],
  ["\\[\nx^2\n\\]", "`§\\[x^2\\]`"],
  ["so $a_1 * b_1$ holds", "so `§\\(a_1 * b_1\\)` holds"],
  ["$$\nx^2\n$$", "`§\\[x^2\\]`"],
  ["about ($x$)", "about (`§\\(x\\)`)"],
])("formulas in %j become marked code", (text, shown) => {
  expect(marked(text)).toBe(shown);
});

test.each([
  "`\\(x\\)` and ``a ` \\(y\\)``",
  "```tex\n\\(x\\)\n```",
  "```tex\n\\(x\\)",
  "\\[not a link\\](https://example.com)",
  "1\\) one",
  "call\\(",
  "It costs $5, or $10 for two.",
  "from $5-$10",
  "echo $HOME/$USER and $PATH",
  "a price in US$ or A$",
  "`$x$`",
  "$$ and $$$",
])("%j is unchanged", (text) => {
  expect(markTex(text)).toBe(text);
});

test("only marked code is a formula", () => {
  expect(texIn(markTex("\\(x\\)").slice(1, -1))).toBe("\\(x\\)");
  expect(texIn("\\(x\\)")).toBeUndefined();
});

test("a long text of openings takes no time", () => {
  const text = "$a \\(b $$c ".repeat(10_000);
  expect(withCpuTime(() => markTex(text)).cpuTime).toBeLessThan(2_000);
});
