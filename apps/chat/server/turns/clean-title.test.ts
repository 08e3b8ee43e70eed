import { expect, test } from "vitest";
import { cleanTitle } from "./write-title.ts";

test.each([
  ["Reviewing a retry helper", "Reviewing a retry helper"],
  ['"Retry helper review."', "Retry helper review"],
  ["**Title: Tides in Emden**\n\nHere is why", "Tides in Emden"],
  ["# Données manquantes", "Données manquantes"],
  ["  ", ""],
  ["…".repeat(100), `${"…".repeat(60)}…`],
])("%j becomes %j", (text, title) => {
  expect(cleanTitle(text)).toBe(title);
});
