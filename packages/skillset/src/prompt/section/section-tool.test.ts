import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool/tool.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { MarkdownSection } from "./markdown-section.ts";
import type { SectionToolContext } from "./section-tool.ts";
import { SkillSection } from "./skill-section.ts";

class LintResult {
  readonly self = this; // A value that JSON cannot write.
  readonly issues = 5;
  render() {
    return `Found ${this.issues} issues`;
  }
}

/** The tool as the prompt provides it. */
function offered<Input>(tool: Tool<Input, unknown, SectionToolContext>) {
  const skill = new SkillSection({
    name: "linting",
    description: "Lints.",
    title: "Linting",
    template: "x",
    tools: [tool],
    visibility: "full",
  });
  const outer = new MarkdownSection({ title: "Outer", key: "outer", template: "", children: [skill] });
  const template = new PromptTemplate({ ns: "n", key: "k", sections: [outer] });
  const [first] = new Prompt(template).bind({ level: 3 }).render().tools;
  if (first === undefined) throw new Error("The tool is not available.");
  return first;
}
const withHandler = (handler: Tool["handler"], more = {}) =>
  offered(defineTool({ name: "lint", description: "Lints.", handler, ...more }));

describe("a section's tool", () => {
  test("has a name, a description and a JSON schema", () => {
    const inputSchema = z.object({ paths: z.array(z.string()) });
    expect(withHandler(() => "ok", { inputSchema })).toMatchObject({
      name: "lint",
      description: "Lints.",
      section: "outer.linting",
      inputSchema: { type: "object", properties: { paths: { type: "array" } } },
    });
    expect(withHandler(() => "ok").inputSchema).toEqual({ type: "object", properties: { input: {} } });
  });

  test("gets the validated input, and a context with its section", async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: "lint",
      description: "Lints.",
      inputSchema: z.object({ paths: z.array(z.string()).default(["."]) }),
      handler: (given, context: SectionToolContext) => {
        expectTypeOf(given).toEqualTypeOf<{ paths: string[] }>();
        expectTypeOf(context).toEqualTypeOf<SectionToolContext>();
        seen.push(given, context);
        return { issues: 0 };
      },
    });
    expect(await offered(tool).execute({})).toEqual({
      isError: false,
      text: '{"issues":0}',
      data: { tool: "lint", result: { issues: 0 } },
    });
    expect(seen).toEqual([
      { paths: ["."] },
      { section: "outer.linting", skill: "linting", params: { level: 3 }, signal: expect.any(AbortSignal) },
    ]);
  });

  test("a result with render() is shown as its output", async () => {
    expect(await withHandler(async () => new LintResult()).execute({})).toEqual({
      isError: false,
      text: "Found 5 issues",
      data: { tool: "lint", result: "Found 5 issues" },
    });
  });

  test.each([
    [() => Promise.reject(new Error("no disk at /secret/place")), "Tool 'lint' failed: no disk at <path>"],
    [() => ({ render: () => 7 }), "Tool 'lint' failed: render() returned no string"],
    [() => ({ render: () => Promise.resolve("later") }), "Tool 'lint' failed: render() returned no string"],
    [() => 3n, "cannot be serialized as JSON"],
  ])("an error is returned as a result: %s", async (handler, message) => {
    const result = await withHandler(handler).execute({});
    expect(result.isError).toBe(true);
    expect(result.text).toContain(message);
  });

  test("invalid input is returned as a result too", async () => {
    const tool = withHandler(() => "ok", { inputSchema: z.object({ path: z.string() }) });
    expect(await tool.execute({ path: 7 })).toMatchObject({ isError: true, code: "tool-input-invalid" });
  });

  test("a cancelled call ends", async () => {
    const hangs = withHandler(() => new Promise(() => {}));
    expect(await hangs.execute({}, { signal: AbortSignal.abort() })).toMatchObject({ code: "tool-aborted" });
  });

  test("a non-object value is wrapped in an object, because protocols require objects", async () => {
    const tool = withHandler((text: string) => text.toUpperCase(), { inputSchema: z.string() });
    expect(tool.inputSchema).toMatchObject({ properties: { input: { type: "string" } }, required: ["input"] });
    expect(await tool.execute({ input: "loud" })).toMatchObject({ text: "LOUD" });
  });

  test("a field named render that is not a function is a plain field", async () => {
    expect(await withHandler(() => ({ render: "x" })).execute({})).toMatchObject({ text: '{"render":"x"}' });
  });
});

test.each([
  [{ name: "a.b" }, "requires a name"],
  [{ name: "" }, "requires a name"],
  [{ name: "open_sections" }, "has a reserved name"],
  [{ name: "read_section" }, "has a reserved name"],
  [{ name: "return_result" }, "has a reserved name"],
  [{ name: "call_tool" }, "has a reserved name"],
  [{ description: " " }, "requires a description"],
  [{ handler: undefined }, "requires a handler"],
])("a tool with %o throws in the section's constructor", (change, message) => {
  const tool = { name: "lint", description: "Lints.", handler: () => "ok", ...change } as Tool;
  expect(() => new MarkdownSection({ title: "a", key: "a", template: "a", tools: [tool] })).toThrow(message);
});
