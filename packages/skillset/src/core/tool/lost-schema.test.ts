import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { toModelTools } from "../../adapter/index.ts";
import { createSkillset, defineSkill, defineTool } from "../../index.ts";

/** As of Valibot: validates, and has no JSON form. */
const silent = () => ({
  "~standard": { version: 1 as const, vendor: "valibot", validate: (value: unknown) => ({ value }) },
});

function warnings() {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return () => warn.mock.calls.map(([text]) => String(text));
}

test("a schema without a JSON form is named on stderr, once for each tool", async () => {
  const lines = warnings();
  const vat = { name: "add_vat", description: "Adds VAT.", inputSchema: silent(), handler: () => 1 };
  const tax = defineSkill({ name: "tax", description: "Taxes.", body: "x", tools: [vat] });
  const session = await (await createSkillset([tax])).session();
  await session.activate("tax");
  for (const _ of [1, 2]) (await session.turn([{ role: "user", text: "Hi." }])).tools.map(({ name }) => name);
  expect(lines()).toEqual([expect.stringContaining("The model will not see the parameters of 'add_vat'")]);
  expect(lines()[0]).toContain("such as zod 4.2 or newer");
  toModelTools(session, [defineTool({ ...vat, name: "host_vat", inputSchema: silent() })]);
  expect(lines()[1]).toContain("'host_vat'");
});

test("a schema with a JSON form, and no schema, are not", async () => {
  const lines = warnings();
  const session = await (await createSkillset([])).session();
  const tool = { description: "Adds.", handler: () => 1 };
  const inputSchema = z.object({ net: z.number() });
  toModelTools(session, [defineTool({ ...tool, name: "a", inputSchema }), defineTool({ ...tool, name: "b" })]);
  expect(lines()).toEqual([]);
});
