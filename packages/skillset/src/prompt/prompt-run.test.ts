import { describe, expect, test } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { defineSkill } from "../core/skill/define-skill.ts";
import { defineTool } from "../core/tool/tool.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { Prompt, type StartPromptOptions } from "./prompt.ts";
import { PromptTemplate } from "./prompt-template.ts";
import { AgentSkillsSection } from "./section/agent-skills-section.ts";
import { MarkdownSection } from "./section/markdown-section.ts";
import type { Section } from "./section/section.ts";
import { SkillSection } from "./section/skill-section.ts";

const tool = (name: string) => defineTool({ name, description: `${name}.`, handler: () => `${name} done` });
const TASK = new MarkdownSection({ title: "Task", key: "task", template: "Make tea.", tools: [tool("boil")] });
const TEA = new SkillSection({
  name: "tea",
  description: "Makes tea.",
  title: "Tea",
  template: "Steep it.",
  tools: [tool("steep")],
});
const OUTPUT = z.object({ minutes: z.number() });
const OPEN = { section_keys: ["tea"], reason: "needed" };
const RULE = "When you are done, call the tool `return_result` with the result.";

function start<Output = unknown>(
  sections: readonly Section[],
  options: StartPromptOptions = {},
  output?: z.ZodType<Output>,
) {
  return new Prompt(new PromptTemplate({ ns: "n", key: "k", sections, ...(output && { output }) })).start(options);
}
const names = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) => tools.map(({ name }) => name);

describe("the tools of a run", () => {
  test("are those of open sections, those that open and read more, and the one for the result", async () => {
    const run = start([TASK, TEA], {}, OUTPUT);
    expect(names(run)).toEqual(["boil", "open_sections", "read_section", "return_result"]);
    expect(run.text).toBe(`${run.rendered.text}\n\n${RULE}`);
    const opened = await run.call("open_sections", OPEN);
    expect(opened).toMatchObject({ isError: false, text: "## Tea\n\nSteep it.", data: { tools: ["steep"] } });
    expect(names(run)).toEqual(["boil", "steep", "return_result"]);
    expect(await run.call("steep", {})).toMatchObject({ text: "steep done" });
  });

  test("that are not offered cannot be called, and the error says what to do", async () => {
    const run = start([TASK, TEA]);
    expect(await run.call("steep", {})).toEqual({
      isError: true,
      text: "The tool 'steep' is not available. Open its section first with `open_sections`.",
      code: "tool-not-found",
    });
  });

  test("are also returned with those of all closed sections, in `everyTool`", () => {
    const inner = new MarkdownSection({
      title: "Inner",
      key: "inner",
      summary: "s",
      template: "t",
      visibility: "summary",
      tools: [tool("stir")],
    });
    const outer = new MarkdownSection({
      title: "Outer",
      key: "outer",
      summary: "s",
      template: "t",
      visibility: "summary",
      children: [inner],
    });
    const run = start([TASK, outer]);
    expect(run.everyTool.map(({ name }) => name)).toEqual(["boil", "open_sections", "read_section", "stir"]);
    expect(run.rendered.summarised).toEqual(["outer"]);
  });

  test("an unknown section is an error for the model", async () => {
    const result = await start([TEA]).call("open_sections", { section_keys: ["coffee"], reason: "x" });
    expect(result).toMatchObject({ isError: true, code: "section-not-found" });
  });
});

describe("a session", () => {
  test("has skills that were opened or read as active", async () => {
    const session = await (await createSkillset([])).session();
    const other = new SkillSection({ name: "coffee", description: "d", title: "Coffee", template: "Grind." });
    const run = start([TEA, other], { session });
    await run.call("open_sections", OPEN);
    await run.call("read_section", { section_key: "coffee" });
    await expect.poll(() => session.active).toEqual(["tea", "coffee"]);
  });

  test("may deny a section's tool, but not the tool of a skill", async () => {
    const narrow = defineSkill({ name: "narrow", description: "d", body: "b", allowedTools: ["Read"] });
    const session = await (await createSkillset([narrow], { allowedTools: "enforce" })).session();
    await session.activate("narrow");
    const run = start([TASK, TEA], { session });
    await run.call("open_sections", OPEN);
    expect(await run.call("boil", {})).toMatchObject({ isError: true, code: "tool-denied" });
    expect(await run.call("steep", {})).toMatchObject({ isError: false, text: "steep done" });
  });
});

describe("the end", () => {
  test("without structured output is the answer", async () => {
    const run = start([TASK]);
    expect(run.text).toBe(run.rendered.text);
    expect(await run.end("Tea.")).toEqual({
      response: { promptNs: "n", promptKey: "k", text: "Tea.", output: undefined },
    });
  });

  test("is the value that the schema returns", async () => {
    const run = start([TASK], {}, OUTPUT);
    expect(run.isSettled).toBe(false);
    expect(await run.call("return_result", { minutes: 3 })).toMatchObject({ isError: false });
    expect(run.isSettled).toBe(true);
    expect(await run.end("Done.")).toMatchObject({ response: { text: "Done.", output: { minutes: 3 } } });
  });

  test("is put off once if the output is missing", async () => {
    const run = start([TASK], {}, OUTPUT);
    expect(await run.end("Three.")).toEqual({ next: `There is no result yet. ${RULE}` });
    await expect(run.end("Three!")).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringContaining("Its answer: Three!"),
    });
  });

  test("is put off with the reason if the last value did not fit", async () => {
    const run = start([TASK], {}, OUTPUT);
    await run.call("return_result", { minutes: "three" });
    const { next } = await run.end("Done.");
    expect(next).toMatch(/^There is no result yet\. The last one does not fit: minutes: .*\. When you are done/);
    await expect(run.end("Done.")).rejects.toMatchObject({ code: "result-invalid" });
  });

  test("comes from a JSON block in the answer, but not after a value was accepted", async () => {
    const block = (minutes: number) => `\`\`\`json\n{ "minutes": ${minutes} }\n\`\`\``;
    const run = start([TASK], {}, OUTPUT);
    expect(await run.end(block(4))).toMatchObject({ response: { output: { minutes: 4 } } });
    expect(await run.end(block(5))).toMatchObject({ response: { output: { minutes: 4 } } });
  });

  test("with `returnTool: false` is left to the evaluator", async () => {
    const run = start([TASK], { returnTool: false }, OUTPUT);
    expect(names(run)).toEqual(["boil"]);
    expect(run.text).not.toContain("return_result");
    expect(await run.end("Done.")).toMatchObject({ response: { output: undefined } });
    expect(run.respond("Done.", { minutes: 2 })).toEqual({
      promptNs: "n",
      promptKey: "k",
      text: "Done.",
      output: { minutes: 2 },
    });
  });
});

test("two runs of one prompt are independent", async () => {
  const prompt = new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [TEA] }));
  const [one, other] = [prompt.start(), prompt.start()];
  await one.call("open_sections", OPEN);
  expect([names(one), names(other)]).toEqual([["steep"], ["open_sections", "read_section"]]);
});

test("a tool of a section cannot have the name of a tool for skills that the prompt offers", () => {
  const skillsDir = temporaryFolder({ "tea/SKILL.md": skillMd("tea") });
  const section = new MarkdownSection({ title: "t", key: "t", template: "t", tools: [tool("activate_skill")] });
  const listed = new AgentSkillsSection({ skillsDir });
  expect(() => start([section, listed], { mode: "tools" })).toThrow(
    "Tool 'activate_skill' of section 't' has the name of a tool for skills. Rename it.",
  );
  expect(names(start([section, listed], { mode: "files" }))).toEqual(["activate_skill"]);
});
