import { expect, test } from "vitest";
import { z } from "zod";
import { defineSkill } from "../../index.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { checkValue, jsonSchemaOf } from "./schema.ts";
import { unwrapValue, wrapSchema } from "./wrap-schema.ts";

type Tree = { name: string; children: Tree[] };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }));
const TREES = [{ name: "a", children: [{ name: "b", children: [] }] }];
const WRONG = [{ name: "a", children: [{ name: 7 }] }];

test("a wrapped schema accepts what the schema does, also where it refers to itself", async () => {
  for (const schema of [jsonSchemaOf(z.array(tree)) ?? {}, { type: "array", items: { $ref: "#" } }]) {
    const wrapped = wrapSchema(schema, "input");
    expect(wrapped).not.toHaveProperty("properties.input.$schema");
    const issuesOf = async (input: unknown) => (await checkValue(wrapped, { input })).issues;
    expect(await issuesOf([])).toEqual([]);
    expect(await issuesOf("no list")).not.toEqual([]);
  }
  const wrapped = wrapSchema(jsonSchemaOf(z.array(tree)) ?? {}, "input");
  expect((await checkValue(wrapped, { input: TREES })).issues).toEqual([]);
  expect((await checkValue(wrapped, { input: WRONG })).issues).not.toEqual([]);
});

test.each([
  ["a wrapped value", { type: "array" }, { input: [1] }, [1]],
  ["a value without its wrapping", { type: "array" }, [1], [1]],
  ["an object that is the input itself", { type: "object" }, { input: 1 }, { input: 1 }],
  ["anything, wrapped", undefined, { input: 7 }, 7],
  ["anything, without its wrapping", undefined, { a: 1 }, { a: 1 }],
  ["nothing", undefined, {}, undefined],
])("%s is unwrapped", (_what, schema, given, value) => {
  expect(unwrapValue(schema, given)).toEqual(value);
});

test("the schema of an object is not wrapped, and without a schema any input is allowed", () => {
  const schema = { type: "object", properties: { a: {} } };
  expect(wrapSchema(schema)).toBe(schema);
  expect(wrapSchema(undefined)).toEqual({ type: "object", properties: { input: {} } });
});

test("a skill's tool that takes a list which refers to itself is offered with a schema that holds", async () => {
  const handler = ([first]: Tree[]) => first?.name;
  const tools = [{ name: "grow", description: "Grows", inputSchema: z.array(tree), handler }];
  const garden = defineSkill({ name: "garden", description: "G", body: "Grow.", tools });
  const session = await (await createSkillset([garden])).session();
  await session.activate("garden");
  const tool = (await session.turn([])).tools.find((one) => one.skill === "garden");
  expect((await checkValue(tool?.inputSchema, { input: TREES })).issues).toEqual([]);
  expect((await checkValue(tool?.inputSchema, { input: WRONG })).issues).not.toEqual([]);
  expect(await tool?.execute({ input: TREES })).toMatchObject({ isError: false, text: "a" });
});
