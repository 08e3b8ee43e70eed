import { expect, test } from "vitest";
import type { ToolContent, ToolReport } from "../../../acp/options/tool-report.ts";
import { type ToolEvent, ToolLines } from "./tool-lines.ts";

const CALL: ToolReport = { id: "1", title: "Edit notes", kind: "edit", locations: [], contents: [] };
const lineFor = (event: ToolEvent) => new ToolLines().linesFor(event).at(-1);
const started = (change: Partial<ToolReport>) => lineFor({ type: "tool-started", ...CALL, ...change })?.text;
const done = (...contents: readonly ToolContent[]): ToolEvent => ({
  ...{ type: "tool-done", ...CALL, contents, outcome: "succeeded", text: "" },
});
const changed = (...contents: readonly ToolContent[]) => lineFor(done(...contents));
const diff = (path: string, oldText: string | undefined, newText: string): ToolContent => ({
  ...{ type: "diff", path, oldText, newText, truncated: false },
});

test("a tool call is shown with its kind and its first place", () => {
  expect(started({})).toBe("Edit notes (edit)");
  expect(started({ locations: [{ path: "/notes.md", line: 3 }, { path: "/b" }] })).toBe(
    "Edit notes (edit, /notes.md:3)",
  );
  expect(started({ kind: "other", locations: [{ path: "/notes.md" }] })).toBe("Edit notes (/notes.md)");
  expect(started({ kind: "other" })).toBe("Edit notes");
});

test("a change is shown with its lines, without the equal ones around them", () => {
  expect(changed(diff("/notes.md", "a\nb\nc\n", "a\nB\nB2\nc\n"))).toEqual({
    label: "Changed",
    text: "/notes.md (+2 -1)",
    details: ["- b", "+ B", "+ B2"],
  });
  expect(changed(diff("/new.md", undefined, "a\n"))).toMatchObject({ text: "/new.md (+1 -0)", details: ["+ a"] });
  expect(changed(diff("/notes.md", "a\nb\nc\nd\n", "A\nb\nc\nD\n"))).toMatchObject({
    text: "/notes.md (+2 -2)",
    details: ["- a", "+ A", "- d", "+ D"],
  });
});

test("of a long change only the first lines are shown, with control characters made visible", () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
  const long = changed(diff("/a", undefined, text), diff("/b", "\u001b[2J", ""));
  expect(long?.text).toBe("/a (+20 -0), /b (+0 -1)");
  expect(long?.details).toHaveLength(9);
  expect(long?.details?.at(-1)).toBe("… 13 more lines");
  expect(changed(diff("/b", "\u001b[2J", ""))?.details?.join()).not.toContain("\u001b");
});

test("a call is shown once: when its input or place is known, or when it is done", () => {
  const lines = new ToolLines();
  const texts = (event: ToolEvent) => lines.linesFor(event).map(({ label, text }) => `${label}: ${text}`);
  expect(texts({ type: "tool-started", ...CALL, title: "Edit", input: {} })).toEqual([]);
  const locations = [{ path: "/notes.md" }];
  expect(texts({ type: "tool-updated", ...CALL, locations, input: {} })).toEqual([
    "Tool: Edit notes (edit, /notes.md)",
  ]);
  expect(texts({ type: "tool-updated", ...CALL, locations, input: { a: 1 } })).toEqual([]);
  expect(texts(done({ type: "text", text: "ok", truncated: false }))).toEqual([]);
  expect(texts({ ...done(), id: "2" })).toEqual(["Tool: Edit notes (edit)"]);
  expect(texts({ type: "tool-started", ...CALL, id: "3", title: "" })).toEqual([]);
});
