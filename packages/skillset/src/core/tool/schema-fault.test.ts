import { expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { toModelTools } from "../../adapter/index.ts";
import { createSkillset, defineSkill, defineTool } from "../../index.ts";
import { PromptTemplate } from "../../prompt/index.ts";
import { schemaFaultOf } from "./schema-fault.ts";

const ZOD3 = "from zod 3, which models cannot see";
const vat = (inputSchema: unknown) =>
  ({ name: "vat", description: "Adds VAT.", inputSchema: inputSchema as never, handler: () => 1 }) as const;
const session = await (await createSkillset([])).session();

test.each<[string, unknown, string]>([
  ["of zod 3", z3.object({ net: z3.number() }), `${ZOD3}: it has no JSON Schema. Import from 'zod' 4.2 or newer`],
  ["of zod before 3.24", { _def: { typeName: "ZodObject" }, parse: () => 1 }, `${ZOD3}`],
  ["of zod/mini", mini.object({ net: mini.number() }), "convert it with 'z.toJSONSchema()'"],
  ["with one schema per field", { net: z.number() }, "whose fields are schemas. Wrap them in one schema"],
  ["with one schema of zod 3 per field", { net: z3.number() }, "whose fields are schemas. Wrap them in one schema"],
  ["that is null", null, "that is null. Pass a Standard Schema"],
  ["that is text", "number", 'that is the text "number".'],
])("a tool with a schema %s is refused with the fix, wherever it is passed", (_, schema, message) => {
  const refused = expect.objectContaining({ code: "option-invalid", message: expect.stringContaining(message) });
  const tool = vat(schema);
  const skill = { name: "tax", description: "Taxes.", body: "x", tools: [tool] };
  expect(() => defineTool(tool)).toThrow(refused);
  expect(() => defineSkill(skill)).toThrow(refused);
  expect(() => toModelTools(session, [tool])).toThrow(refused);
  expect(() => new PromptTemplate({ ns: "n", key: "k", sections: [], output: schema as never })).toThrow(refused);
});

test.each<[string, unknown]>([
  ["a schema of zod 4", z.object({ net: z.number() })],
  ["a schema of zod 4 without a JSON form", z.object({ on: z.date() })],
  ["a JSON Schema", { type: "object", properties: { net: { type: "number" } } }],
  ["a JSON Schema made by zod", z.toJSONSchema(z.object({ net: z.number() }))],
  ["an empty JSON Schema", {}],
  ["a schema of another library", { "~standard": { version: 1, vendor: "valibot", validate: () => ({ value: 1 }) } }],
  ["a schema that is a function", Object.assign(() => 1, { "~standard": z.string()["~standard"] })],
])("%s has no fault", (_, schema) => {
  expect(schemaFaultOf(schema)).toBeUndefined();
});

test("a tool without a schema may have other fields of an SDK, such as 'outputSchema'", () => {
  const fields = { outputSchema: {}, title: "Adds", annotations: {}, strict: true };
  const tool = { ...fields, name: "vat", description: "Adds.", handler: () => 1 };
  expect(defineTool(tool)).toMatchObject(fields);
});
