import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineSkill } from "./define-skill.ts";
import type { SkillToolContext, VirtualSkill } from "./skill.ts";

const minimal = { name: "invoices", description: "Explains invoices.", body: "\n# Invoices\nCall `find`.\n" };

describe("defineSkill() defines a skill in code", () => {
  test("it is frozen, and needs no file", async () => {
    const invoices = defineSkill(minimal);
    expectTypeOf(invoices).toEqualTypeOf<VirtualSkill>();
    expect(invoices).toMatchObject({
      name: "invoices",
      body: "# Invoices\nCall `find`.",
      origin: { kind: "inline" },
      tools: [],
    });
    expect(Object.isFrozen(invoices)).toBe(true);
    expect(await invoices.instructions()).toBe(invoices.body);
    expect(await invoices.files.list()).toEqual([]);
    await expect(invoices.files.read("x")).rejects.toMatchObject({ code: "resource-not-found" });
  });

  test.each([
    [{ name: "In Voices" }, "must be lowercase"],
    [{ name: "" }, "'name' is empty"],
    [{ name: undefined as never }, "'name' is missing."],
    [{ description: undefined as never }, "Invalid skill 'invoices': 'description' is missing."],
    [{ name: " abc\n" }, "spaces or line breaks around it"],
    [{ description: "  " }, "'description' is empty"],
    [{ description: "d".repeat(1025) }, "1025 characters"],
    [{ compatibility: "" }, "'compatibility' is empty"],
    [{ metadata: { version: 1 as never } }, "'version' must be a string"],
    [{ colour: "blue" } as object, "no field 'colour'"],
    [{ description: "Hidden \u{e0041} text" }, "hidden characters"],
    [{ body: 7 as never }, "must be a string"],
    [{ allowedTools: "Read" as never }, "'allowedTools' must be an array of strings."],
    [{ allowedTools: [5] as never }, "'allowedTools' must be an array of strings."],
    [{ body: "x".repeat(1024 * 1024 + 1) }, "The maximum is 1048576"],
  ])("%o is rejected at once", (change, message) => {
    expect(() => defineSkill({ ...minimal, ...change })).toThrow(message);
  });

  test("the digest changes with the content and with nothing else", async () => {
    const digest = await defineSkill(minimal).digest();
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await defineSkill({ ...minimal }).digest()).toBe(digest);
    expect(await defineSkill({ ...minimal, body: "other" }).digest()).not.toBe(digest);
  });
});

describe("a skill's tools", () => {
  test("infer their input from a Standard Schema, and take any JSON without one", () => {
    const invoices = defineSkill({
      ...minimal,
      tools: [
        {
          name: "find",
          description: "Finds one",
          inputSchema: z.object({ id: z.string(), page: z.number().default(1) }),
          handler: (input, context) => {
            expectTypeOf(input).toEqualTypeOf<{ id: string; page: number }>();
            expectTypeOf(context).toEqualTypeOf<SkillToolContext>();
            return input.id;
          },
        },
        {
          name: "count",
          description: "Counts",
          inputSchema: { type: "object" },
          handler: async (input) => input.anything,
        },
        { name: "all", description: "Lists all", handler: () => [] },
      ],
    });
    expect(invoices.tools.map(({ name }) => name)).toEqual(["find", "count", "all"]);
    expect(Object.isFrozen(invoices.tools)).toBe(true);
  });

  const tool = { name: "find", description: "Finds", handler: () => 1 };

  test("two tools with the same name are rejected", () => {
    expect(() => defineSkill({ ...minimal, tools: [tool, { ...tool }] })).toThrow("two tools named 'find'");
  });

  test.each([
    [{ ...tool, name: "has space" }, "1 to 64 letters"],
    [{ ...tool, handler: undefined as never }, "requires a handler"],
    [{ ...tool, description: undefined as never }, "requires a description"],
  ])("%o is refused", (broken, message) => {
    expect(() => defineSkill({ ...minimal, tools: [broken] })).toThrow(message);
  });
});

test("tools that are not an array are refused with the shape to write", () => {
  const tools = { add: { description: "Adds.", execute: () => 1 } };
  expect(() => defineSkill({ name: "sum", description: "Sums.", body: "Add.", tools } as never)).toThrow(
    "The tools of skill 'sum' must be an array of { name, description, inputSchema, handler }.",
  );
});
