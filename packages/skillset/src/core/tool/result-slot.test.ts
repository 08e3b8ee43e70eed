import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ResultSlot } from "./result-slot.ts";

const VERDICT = z.object({ verdict: z.enum(["good", "bad"]) });

test("the first valid value wins, and later ones are ignored", async () => {
  const slot = new ResultSlot(VERDICT);
  expect(await slot.offer({ verdict: "good" })).toMatchObject({ isError: false });
  expect(await slot.offer({ verdict: "bad" })).toMatchObject({ text: expect.stringContaining("not used") });
  expect(slot.value).toEqual({ value: { verdict: "good" } });
});

test("of two concurrent values, only one is accepted, and it is the one returned", async () => {
  const slot = new ResultSlot(VERDICT);
  const [first, second] = await Promise.all([slot.offer({ verdict: "good" }), slot.offer({ verdict: "bad" })]);
  expect([first.text, second.text].filter((text) => text.startsWith("The result was accepted"))).toHaveLength(1);
  expect(slot.value).toEqual({ value: { verdict: "good" } });
});

test("an invalid value is answered with the reason, and can be corrected", async () => {
  const onRefused = vi.fn();
  const slot = new ResultSlot(VERDICT, onRefused);
  const answer = await slot.offer({ verdict: "fair" });
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^The result does not fit: verdict: .+ again\.$/),
  });
  expect(onRefused).toHaveBeenCalledWith([expect.stringContaining("verdict")], 4);
  expect(await slot.offer({ verdict: "bad" })).toMatchObject({ isError: false });
});

test("after five invalid values, the slot fails with the last reason and accepts no more", async () => {
  const slot = new ResultSlot(VERDICT);
  for (let attempt = 0; attempt < 5; attempt += 1) await slot.offer({ verdict: attempt });
  await slot.settled;
  expect(slot.failure).toMatchObject({ code: "result-invalid", message: expect.stringContaining("5 results") });
  expect(await slot.offer({ verdict: "good" })).toMatchObject({ isError: true });
  expect(slot.value).toBeUndefined();
});

describe("a non-object schema", () => {
  test.each([
    ["a list", z.array(z.number()), [1, 2]],
    ["a string", z.string(), "hello"],
    ["a string that looks like JSON", z.string(), "[1]"],
    ["a number", z.number(), 7],
    ["nothing", z.null(), null],
    ["one of two", z.union([z.string(), z.object({ a: z.number() })]), { a: 1 }],
  ])("is wrapped for the agent and unwrapped again: %s", async (_what, schema, value) => {
    const slot = new ResultSlot(schema);
    expect(slot.inputSchema).toMatchObject({ type: "object", required: ["result"] });
    await slot.offer({ result: value });
    expect(slot.value).toEqual({ value });
  });

  test("keeps its references to itself", async () => {
    type Tree = { name: string; children: Tree[] };
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }));
    const slot = new ResultSlot(z.array(tree));
    const references = [...JSON.stringify(slot.inputSchema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => path);
    expect(references.length).toBeGreaterThan(0);
    for (const path of references) expect(at(slot.inputSchema, path)).toBeDefined();
  });
});

test("common model mistakes are accepted: JSON as text, and unneeded wrapping", async () => {
  for (const input of [{ result: { verdict: "good" } }, { result: '{"verdict":"good"}' }, '{"verdict":"good"}']) {
    const slot = new ResultSlot(VERDICT);
    await slot.offer(input);
    expect(slot.value).toEqual({ value: { verdict: "good" } });
  }
});

test("the value is the schema's parsed output", async () => {
  const slot = new ResultSlot(z.object({ when: z.iso.date().transform((text) => new Date(text)) }));
  await slot.offer({ when: "2026-02-01" });
  expect(slot.value?.value).toEqual({ when: new Date("2026-02-01") });
});

test("a JSON Schema is validated completely", async () => {
  const slot = new ResultSlot({ type: "object", properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] });
  expect(await slot.offer({ n: 2 })).toMatchObject({ isError: true });
  expect(await slot.offer({})).toMatchObject({ isError: true });
  await slot.offer({ n: 3 });
  expect(slot.value).toEqual({ value: { n: 3 } });
});

test("a schema that throws rejects the value", async () => {
  const slot = new ResultSlot(
    z.string().transform(() => {
      throw new Error("no such thing");
    }),
  );
  expect(await slot.offer({ result: "x" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("no such thing"),
  });
});

function at(schema: unknown, pointer = ""): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], schema);
}
