import { describe, expect, test } from "vitest";
import { createSkillset } from "../node/load/create-skillset.ts";
import { MemorySessionStore } from "./conversation/store.ts";
import type { SessionOptions } from "./session/options.ts";
import { usageOf } from "./session/usage.ts";
import { defineSkill } from "./skill/define-skill.ts";
import { estimateTokens } from "./text/tokens.ts";

const large = defineSkill({ name: "large", description: "Large.", body: "word ".repeat(100).trim() });
const small = defineSkill({ name: "small", description: "Small.", body: "word ".repeat(10).trim() });

/** Only the words of the instructions count, so that the figures below are round. */
const countWords = (text: string): number => text.match(/\bword\b/g)?.length ?? 0;

async function open(options: SessionOptions = {}) {
  return (await createSkillset([large, small])).session({ countTokens: countWords, ...options });
}

describe("a session's budget", () => {
  test("rejects an activation that does not fit, with a message for the model", async () => {
    const session = await open({ budget: { tokens: 120 } });
    expect(await session.activate("large")).toMatchObject({ tokens: 100 });
    await expect(session.activate("large")).rejects.toMatchObject({
      code: "budget-exceeded",
      message:
        "Activating 'large' takes about 100 tokens, but only 20 of 120 skill tokens remain. Continue without it.",
    });
    expect(session.ledger.entries.at(-1)).toMatchObject({
      type: "operation-failed",
      skill: "large",
      code: "budget-exceeded",
    });
  });

  test("still has room for a smaller skill, up to the last token", async () => {
    const session = await open({ budget: { tokens: 110 } });
    await session.activate("large");
    await expect(session.activate("large")).rejects.toMatchObject({ code: "budget-exceeded" });
    await session.activate("small");
    await expect(session.activate("small")).rejects.toThrow("only 0 of");
    expect(usageOf(session.ledger.entries).map(({ tokens }) => tokens)).toEqual([100, 10]);
  });

  test("is not spent on a rejected skill, which stays inactive", async () => {
    const session = await open({ budget: { tokens: 99 } });
    for (let attempt = 0; attempt < 3; attempt++) await session.activate("large").catch(() => {});
    expect(session.active).toEqual([]);
    await session.activate("small");
    expect(session.active).toEqual(["small"]);
  });

  test("is hardly spent on instructions that the request already has", async () => {
    const session = await open({ budget: { tokens: 200 }, countTokens: estimateTokens });
    const { text, tokens } = await session.activate("large");
    expect(tokens).toBeGreaterThan(100);
    await expect(session.activate("large")).rejects.toMatchObject({ code: "budget-exceeded" });
    const { tools } = await session.turn([{ role: "tool", text }]);
    const again = await tools[0]?.execute({ name: "large" });
    expect(again).toMatchObject({ isError: false, data: { alreadyActive: true } });
    expect(session.ledger.entries.at(-1)).toMatchObject({ repeated: true, tokens: expect.closeTo(15, -1.2) });
  });

  test("is spent again on instructions that are sent again", async () => {
    const session = await open({ budget: { tokens: 30 } });
    await session.activate("small");
    await session.activate("small");
    await session.activate("small");
    await expect(session.activate("small")).rejects.toMatchObject({ code: "budget-exceeded" });
  });

  test("counts with the session's tokenizer, or with the estimate by default", async () => {
    const session = await open({ budget: { tokens: 100 }, countTokens: () => 101 });
    await expect(session.activate("small")).rejects.toThrow("takes about 101 tokens");
    const skills = await createSkillset([small]);
    const { text } = await (await skills.session()).activate("small");
    const exact = await skills.session({ budget: { tokens: estimateTokens(text) } });
    await exact.activate("small");
    const short = await skills.session({ budget: { tokens: estimateTokens(text) - 1 } });
    await expect(short.activate("small")).rejects.toMatchObject({ code: "budget-exceeded" });
  });

  test("is restored with the stored session, including repeated activations", async () => {
    const store = new MemorySessionStore();
    const options = { id: "chat-1", store, budget: { tokens: 120 } };
    const before = await open(options);
    await before.activate("large");
    await before.activate("small");
    await before.activate("small");
    expect(await store.load("chat-1")).toMatchObject({ spent: 120 });
    const after = await open(options);
    expect(after.active).toEqual(["large", "small"]);
    await expect(after.activate("small")).rejects.toThrow("only 0 of");
    const another = await open({ ...options, id: "chat-2" });
    await another.activate("large");
  });

  test("is not exceeded by activations at the same time", async () => {
    const session = await open({ budget: { tokens: 35 } });
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => session.activate("small")));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  test("does not limit reading files, calling tools or the catalog", async () => {
    const session = await open({ budget: { tokens: 0 } });
    expect((await session.turn([])).instructions).toContain("large");
    expect(await session.files("large").list()).toEqual([]);
    await expect(session.activate("small")).rejects.toMatchObject({ code: "budget-exceeded" });
  });

  test("is unlimited by default, and must be a non-negative number", async () => {
    const session = await open();
    for (let round = 0; round < 100; round++) await session.activate("large");
    for (const tokens of [-1, Number.NaN])
      await expect(open({ budget: { tokens } })).rejects.toMatchObject({ code: "option-invalid" });
  });
});
