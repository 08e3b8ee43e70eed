import { expect, test } from "vitest";
import { nearestNames } from "./nearest-names.ts";

const NAMES = ["code-review", "commit-messages", "debugging", "data-summary", "release-notes"];

test.each([
  ["code-reveiw", ["code-review"]],
  ["Debuging", ["debugging"]],
  ["review", ["code-review"]],
  ["e", []],
  ["weather", []],
  ["x".repeat(100), []],
])("%s suggests %j", (word, names) => {
  expect(nearestNames(word, NAMES)).toEqual(names);
});

test("at most three names are suggested, the nearest first", () => {
  expect(nearestNames("notes", ["notes-abc", "note", "notes-ab", "notes-a"])).toEqual(["note", "notes-a", "notes-ab"]);
});
