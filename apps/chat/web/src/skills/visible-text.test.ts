import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test("invisible characters are shown as escapes, and tabs where they matter", () => {
  expect(visibleText("a\u202eb\u200bc\u0007", true)).toBe("a\\u{202e}b\\u{200b}c\\u{7}");
  expect(visibleText("\u{e0041}", true)).toBe("\\u{e0041}");
  expect(visibleText("\tkey: é", true)).toBe("→key: é");
  expect(visibleText("\tkey: é", false)).toBe("\tkey: é");
});
