import { expect, test } from "vitest";
import { nearestWord } from "./nearest-word.ts";

test("the suggestion is the only word with the same prefix, or the nearest one, ignoring case", () => {
  expect(nearestWord("rec", ["json", "recursive"])).toBe("recursive");
  expect(nearestWord("Jsno", ["recursive", "json"])).toBe("json");
  expect(nearestWord("x", ["recursive", "json"])).toBeUndefined();
});
