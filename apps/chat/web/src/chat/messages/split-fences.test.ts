import { describe, expect, test } from "vitest";
import { splitFences } from "./split-fences.ts";

const words = (text: string) => ({ kind: "words", text });
const code = (text: string, language = "") => ({ kind: "code", text, language });

describe("a message", () => {
  test.each([
    "Plain words.",
    "  two\n\n  lines\n",
    "inline ```code``` here",
    "```js\nnever ends",
    "    ```\nindented\n    ```",
  ])("without fenced code is one section, as it was typed: %j", (text) => {
    expect(splitFences(text)).toEqual([words(text)]);
  });

  test("with fenced code has the words before and after it, without the blank lines between", () => {
    const text = "What is wrong here?\n\n```ts title=a.ts\nconst a = 1;\n\nconst b = 2;\n```\n\n  I think *b*.\n";
    expect(splitFences(text)).toEqual([
      words("What is wrong here?"),
      code("const a = 1;\n\nconst b = 2;", "ts"),
      words("  I think *b*."),
    ]);
  });

  test("of fenced code alone has no words", () => {
    expect(splitFences("~~~\r\na\r\n~~~\r\n```\n```")).toEqual([code("a"), code("")]);
  });

  test("keeps a shorter fence inside of a longer one, and removes the indent of the fence", () => {
    expect(splitFences("  ````md\n  ```js\n    a\n  ```\n  ````")).toEqual([code("```js\n  a\n```", "md")]);
  });

  test("shows words before a fence that never ends as they were typed, after the code that does", () => {
    expect(splitFences("```\na\n```\nthen\n```\nb")).toEqual([code("a"), words("then\n```\nb")]);
  });

  test("has at most 500 blocks, and the rest is words", () => {
    const sections = splitFences("```\na\n```\n".repeat(600));
    expect(sections.filter(({ kind }) => kind === "code").length).toBe(500);
    expect(sections.at(-1)).toEqual(words("```\na\n```\n".repeat(100).trimEnd()));
  });
});
