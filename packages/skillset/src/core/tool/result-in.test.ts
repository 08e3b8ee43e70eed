import { expect, test } from "vitest";
import { resultIn } from "./result-in.ts";

test.each([
  ["the whole answer", '{ "a": 1 }', { a: 1 }],
  ["a block", 'Here:\n```json\n{ "a": 1 }\n```\nDone.', { a: 1 }],
  ["a block after other text", 'Here: ```json\n{ "a": 1 }\n```', { a: 1 }],
  ["a block without a language, indented", "  ```\n  [1]\n  ```  ", [1]],
  ["the last of several", "```json\n1\n```\n```json\n2\n```", 2],
  ["one after a block in another language", "```ts\nlet a;\n```\nthen\n```json\n3\n```", 3],
  ["one before a block in another language", "```json\n4\n```\n```ts\nlet a;\n```", 4],
  ["one with a longer fence", '````json\n"```"\n````', "```"],
])("a result is taken from %s", (_where, text, value) => {
  expect(resultIn(text)).toEqual({ value });
});

test.each(["", "No result.", "```json\n{ broken\n```", "```json\n1", "```ts\n1\n```"])(
  "there is no result in %j",
  (text) => {
    expect(resultIn(text)).toBeUndefined();
  },
);

test("a 400 KB answer with unclosed fences is parsed before the deadline", { timeout: 4_000 }, () => {
  for (const part of ["a```\n", "```json\n", "``````\n", "x ```json \n", "`", "``` "])
    expect(resultIn(part.repeat(400_000 / part.length))).toBeUndefined();
});
