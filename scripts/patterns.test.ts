import { describe, expect, test } from "vitest";
import { findPatterns } from "./patterns/find-patterns.ts";
import { findSlowText } from "./patterns/is-linear.ts";
import { samplesOf } from "./patterns/sample-text.ts";

test("literals and constructed expressions are found, with constants in their place", () => {
  const code = `
const WORD = '[a-z]+';
const LIST = \`\${WORD}(?:,\${WORD})*\`;
export const list = new RegExp(\`^\${LIST}$\`, 'i');
const raw = RegExp(String.raw\`\\s\${escape(name)}\`);
const lazy = lazyRegExp('\\\\p{L}' + WORD);
const any = new RegExp(['a', 'b'].join('|'));
export const literal = /x+/g;
export function pass(source: string) { return new RegExp(source); }`;
  expect(findPatterns("a.ts", code)).toEqual([
    { source: "^[a-z]+(?:,[a-z]+)*$", flags: "i", place: "a.ts:4" },
    { source: "\\sunknown", flags: "", place: "a.ts:5" },
    { source: "\\p{L}[a-z]+", flags: "u", place: "a.ts:6" },
    { source: "a|b", flags: "", place: "a.ts:7" },
    { source: "x+", flags: "g", place: "a.ts:8" },
  ]);
});

test.each([
  ["<(stdout|stderr)>\\n([^\\n]*)</\\1>$", "", "<stdout>\na</stdout>"],
  ["^(?:[\\w-]+\\.)+(?=x)\\x61[^a]{2}\\p{L}", "u", "a.a é"],
  ["(?<!`)(`{3,})(?!`)\\s*\\/", "", "` /"],
])("%s has a sample", (source, flags, text) => {
  expect(
    samplesOf(source, flags)
      .map((sample) => sample.text)
      .join(""),
  ).toBe(text);
});

describe("a pattern that is", () => {
  test.each([
    ["exponential", "^(?:a+)+$", ""],
    ["quadratic", "(?!x)[ :]+$", ""],
    ["quadratic, over lines", "^<(a|b)>\\n([\\s\\S]*?)\\n<\\/\\1>$", "gm"],
  ])("%s is found", (_, source, flags) => {
    expect(findSlowText({ source, flags })).toBeTypeOf("string");
  });

  test.each([
    ["(?<![ :])[ :]+(?![ :])", "g"],
    ["^(\\w)\\1*x$", ""],
    ["(?<!a)a{1,500}$", ""],
  ])("linear is not: %s", (source, flags) => {
    expect(findSlowText({ source, flags })).toBeUndefined();
  });
});
