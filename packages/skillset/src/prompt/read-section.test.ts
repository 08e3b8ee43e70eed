import { expect, test } from "vitest";
import { defineTool } from "../core/tool/tool.ts";
import { Prompt } from "./prompt.ts";
import { PromptTemplate } from "./prompt-template.ts";
import { readSection, readSectionTool } from "./read-section.ts";
import { MarkdownSection } from "./section/markdown-section.ts";
import type { Section } from "./section/section.ts";

const find = defineTool({ name: "find", description: "Finds.", handler: () => "found" });
const inner = new MarkdownSection({ title: "Inner", key: "inner", template: "More about $what." });
const notes = new MarkdownSection({
  title: "Notes",
  key: "notes",
  summary: "Some of it",
  template: "All about $what.",
  visibility: "summary",
  tools: [find],
  children: [inner],
});
const task = new MarkdownSection({ title: "Task", key: "task", template: "Read." });
const rendered = (...sections: Section[]) =>
  new Prompt(new PromptTemplate({ ns: "n", key: "k", sections })).bind({ what: "tea" }).render();

test("the tool is available while a section is summarised, and lists the keys", () => {
  expect(readSectionTool(rendered(task))).toBeUndefined();
  const tool = readSectionTool(rendered(task, notes));
  expect(tool).toMatchObject({ name: "read_section", readOnly: true });
  expect(tool?.inputSchema).toMatchObject({ properties: { section_key: { enum: ["notes"] } } });
  expect(readSectionTool(rendered(task, notes).reopen(["notes"]))).toBeUndefined();
});

test("the tool lists no more keys than are useful", () => {
  const many = Array.from({ length: 51 }, (_, index) => {
    return new MarkdownSection({ title: "t", key: `s${index}`, summary: "s", template: "t", visibility: "summary" });
  });
  expect(JSON.stringify(readSectionTool(rendered(...many)))).not.toContain("enum");
});

test("reading returns the text with its subsections, and leaves the prompt unchanged", () => {
  const prompt = rendered(task, notes);
  expect(readSection(prompt, { section_key: "notes" })).toEqual({
    key: "notes",
    text: "## Notes\n\nAll about tea.\n\n### Inner\n\nMore about tea.",
  });
  expect(prompt).toMatchObject({ summarised: ["notes"], tools: [], open: [] });
});

test("an open section can be read again", () => {
  expect(readSection(rendered(task, notes), { section_key: "task" }).text).toBe("## Task\n\nRead.");
});

test.each([
  [{ section_key: "nots" }, "section-not-found", "There is no section 'nots'. To open: notes."],
  [{ section_key: 7 }, "option-invalid", "'section_key' must be the key of a section."],
  [{}, "option-invalid", "'section_key' must be the key of a section."],
  [undefined, "option-invalid", "'section_key' must be the key of a section."],
])("%j is an error for the model", (input, code, message) => {
  expect(() => readSection(rendered(notes), input)).toThrow(expect.objectContaining({ code, message }));
});
