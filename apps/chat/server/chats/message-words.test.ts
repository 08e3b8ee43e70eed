import { expect, test } from "vitest";
import type { ChatMessage } from "../../shared/api.ts";
import { titleFrom } from "./message-words.ts";

const file: ChatMessage["parts"][number] = {
  type: "data-attachment",
  data: { id: "f", name: "sales.csv", mediaType: "text/csv", size: 1, digest: "sha256:0" },
};
const titleOf = (text: string, ...more: ChatMessage["parts"]) =>
  titleFrom({ parts: [{ type: "text", text }, ...more] });

test.each([
  ["what is new?", "What is new?"],
  ["don't panic", "Don't panic"],
  ["été à Paris", "Été à Paris"],
  ["re-run it", "Re-run it"],
  ["sales.csv is empty", "sales.csv is empty"],
  ["iPhone or Android", "iPhone or Android"],
  ["/home/me is full", "/home/me is full"],
  ["/tides Predict the tides: ", "Predict the tides"],
  ["/maps /tides\n\ncompare them", "Compare them"],
  ["/data-summary", "Data summary"],
  ["/data-summary ", "Data summary"],
  ["/data-summary /pdf", "Data summary, pdf"],
  [":", "New chat"],
  ["", "New chat"],
])("a chat that begins with %j is titled %j", (text, title) => {
  expect(titleOf(text)).toBe(title);
});

test.each([
  ["/data-summary", "Data summary: sales.csv"],
  ["", "sales.csv"],
  ["what is odd?", "What is odd?"],
])("with an attached file, a chat that begins with %j is titled %j", (text, title) => {
  expect(titleOf(text, file)).toBe(title);
});
