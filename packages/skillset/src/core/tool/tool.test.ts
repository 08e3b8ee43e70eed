import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { Agent } from "../../acp/agent.ts";
import {
  createSkillset,
  defineSkill,
  defineTool,
  type SkillToolContext,
  type Tool,
  type ToolContext,
} from "../../index.ts";
import { MarkdownSection, Prompt, PromptTemplate, type SectionToolContext } from "../../prompt/index.ts";

const inputSchema = z.object({ path: z.string(), lines: z.number().default(1) });
type Input = { path: string; lines: number };
const DESCRIBED = { name: "read", description: "Reads.", inputSchema };

/** A prompt with one tool. */
function promptWith(tool: Tool<Input, unknown, SectionToolContext>) {
  const section = new MarkdownSection({ title: "A", key: "a", template: "x", tools: [tool] });
  return new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [section] }));
}

describe("the type of a handler's input is that of the schema's output", () => {
  test("in defineTool()", () => {
    const tool = defineTool({
      ...DESCRIBED,
      handler: (input, context) => {
        expectTypeOf(input).toEqualTypeOf<Input>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        return input.lines;
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool<Input, number>>();
    expectTypeOf(tool).toExtend<Tool>();
    expect(Object.isFrozen(tool)).toBe(true);
  });

  test("in defineTool() without a typed schema it is any JSON value, unless the handler says more", () => {
    const named = { name: "read", description: "Reads." };
    defineTool({ ...named, handler: (input) => expectTypeOf(input).toBeAny() });
    defineTool({ ...named, inputSchema: { type: "string" }, handler: (input) => expectTypeOf(input).toBeAny() });
    const tool = defineTool({ ...named, handler: async (input: Input) => input.path });
    expectTypeOf(tool).toEqualTypeOf<Tool<Input, string>>();
  });

  test("in defineSkill()", () => {
    defineSkill({
      name: "reader",
      description: "Reads.",
      body: "Read.",
      tools: [
        {
          ...DESCRIBED,
          handler: (input, context) => {
            expectTypeOf(input).toEqualTypeOf<Input>();
            expectTypeOf(context).toEqualTypeOf<SkillToolContext>();
          },
        },
        { name: "all", description: "Reads all.", handler: (input) => expectTypeOf(input).toBeAny() },
      ],
    });
  });

  test("in a section", () => {
    new MarkdownSection({
      title: "A",
      key: "a",
      template: "x",
      tools: [
        defineTool({
          ...DESCRIBED,
          handler: (input, context) => {
            expectTypeOf(input).toEqualTypeOf<Input>();
            expectTypeOf(context).toEqualTypeOf<SectionToolContext>();
          },
        }),
      ],
    });
  });

  test("in the builder", () => {
    const typed = (think: ReturnType<Agent["think"]>) => {
      think.tool("read", "Reads.", inputSchema, (input, context) => {
        expectTypeOf(input).toEqualTypeOf<Input>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
      });
      think.tool({ ...DESCRIBED, handler: (input) => expectTypeOf(input).toEqualTypeOf<Input>() });
      think.tool("read", "Reads.", (input) => expectTypeOf(input).toBeAny());
      const sections = defineTool({ ...DESCRIBED, handler: (_input, { section }: SectionToolContext) => section });
      // @ts-expect-error A run has no sections, so this handler would lack its context.
      think.tool(sections);
    };
    expectTypeOf(typed).toBeFunction();
  });
});

test("one tool works in a skill and in a section", async () => {
  const read = defineTool({ ...DESCRIBED, handler: ({ path, lines }) => `${path}:${lines}` });
  const reader = defineSkill({ name: "reader", description: "Reads.", body: "Read.", tools: [read] });
  const session = await (await createSkillset([reader])).session();
  await session.activate("reader");
  const inSkill = (await session.turn([])).tools.find(({ skill: owner }) => owner === "reader");
  const [inSection] = promptWith(read).render().tools;
  for (const tool of [inSkill, inSection]) {
    expect(tool).toMatchObject({ description: "Reads.", inputSchema: { type: "object", required: ["path"] } });
    expect(tool?.isAvailable()).toBe(true);
    expect(await tool?.execute({ path: "a.md" })).toMatchObject({ isError: false, text: "a.md:1" });
    expect(await tool?.execute({ path: 7 })).toMatchObject({ isError: true, code: "tool-input-invalid" });
  }
});

test("a Map reaches the model as an object, and a Set as a list", async () => {
  const stock = defineTool({
    name: "stock",
    description: "Counts.",
    handler: () => ({ tea: new Map([["green", 3]]), sold: new Set(["black"]) }),
  });
  const shop = defineSkill({ name: "shop", description: "Sells.", body: "Sell.", tools: [stock] });
  const session = await (await createSkillset([shop])).session();
  await session.activate("shop");
  const tool = (await session.turn([])).tools.find(({ skill }) => skill === "shop");
  expect(await tool?.execute({})).toMatchObject({
    text: '{"tea":{"green":3},"sold":["black"]}',
    data: { result: { tea: { green: 3 }, sold: ["black"] } },
  });
});

test("an empty argument of an operation is refused by name", async () => {
  const shop = defineSkill({ name: "shop", description: "Sells.", body: "Sell." });
  const session = await (await createSkillset([shop])).session();
  const read = (await session.turn([])).tools.find(({ id }) => id === "read_skill_file");
  expect(await read?.execute({ skill: "shop", path: "" })).toMatchObject({
    isError: true,
    text: "'path' must not be empty.",
  });
});
