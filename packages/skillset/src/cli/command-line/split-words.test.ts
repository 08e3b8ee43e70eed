import { expect, test } from "vitest";
import { splitWords } from "./split-words.ts";

test.each([
  ["node agent.js --acp", ["node", "agent.js", "--acp"]],
  ["  two   spaces \t and\na line ", ["two", "spaces", "and", "a", "line"]],
  [`'my agent' "a b" c\\ d`, ["my agent", "a b", "c d"]],
  [`--name='a b'"c d"e`, ["--name=a bc de"]],
  [`'it is \\ "so"' "it's \\"so\\" \\\\"`, ['it is \\ "so"', `it's "so" \\`]],
  [`a '' "" b`, ["a", "", "", "b"]],
  [String.raw`C:\tools\agent.exe "C:\Program Files\x"`, ["C:\\tools\\agent.exe", "C:\\Program Files\\x"]],
  ["$HOME `id` ~ * ; a && b | c > d #e", ["$HOME", "`id`", "~", "*", ";", "a", "&&", "b", "|", "c", ">", "d", "#e"]],
  ["ends\\", ["ends\\"]],
  ["", []],
])("%s is %j", (line, words) => {
  expect(splitWords("command", line)).toEqual(words);
});

test.each([`"a b`, "it's", `'a\\'b'`])("%s has an unclosed quote", (line) => {
  expect(() => splitWords("command", line)).toThrow("'--command' has an unclosed quote.");
});
