import { expect, test } from "vitest";
import { createSkillset } from "../node/load/create-skillset.ts";
import { MemorySessionStore } from "./conversation/store.ts";
import { recordActivation } from "./in-session.ts";
import { defineSkill } from "./skill/define-skill.ts";

const pdf = defineSkill({ name: "pdf", description: "Reads PDFs.", body: "# PDF" });

test("a skill that the model read without the session is active, and is stored", async () => {
  const store = new MemorySessionStore();
  const skills = await createSkillset([pdf]);
  const session = await skills.session({ id: "a", store });
  await recordActivation(session, { name: "pdf", instructions: "# PDF" });
  expect(session.active).toEqual(["pdf"]);
  expect((await skills.session({ id: "a", store })).active).toEqual(["pdf"]);
});

test("has the digest that an activation has, so that no change is reported", async () => {
  const skills = await createSkillset([pdf]);
  const session = await skills.session();
  await recordActivation(session, { name: "pdf", instructions: await pdf.instructions() });
  const { changed, digest } = await session.activate("pdf");
  expect(changed).toBe(false);
  expect(session.ledger.entries[0]).toMatchObject({ type: "skill-activated", by: "model", digest });
});

test("counts towards the budget, and is never rejected, because it was already read", async () => {
  const session = await (await createSkillset([pdf])).session({ budget: { tokens: 10 } });
  await recordActivation(session, { name: "pdf", instructions: "word ".repeat(500) });
  expect(session.active).toEqual(["pdf"]);
  await expect(session.activate("pdf")).rejects.toMatchObject({ code: "budget-exceeded" });
});

test("a skill that the session's set does not have is recorded too", async () => {
  const session = await (await createSkillset([])).session();
  await recordActivation(session, { name: "pdf", instructions: "# PDF" });
  expect(session.active).toEqual(["pdf"]);
});

test("a store that fails is an error, and the skill is not active", async () => {
  const store = { load: async () => undefined, save: () => Promise.reject(new Error("disk full")) };
  const session = await (await createSkillset([pdf])).session({ store });
  const recording = recordActivation(session, { name: "pdf", instructions: "# PDF" });
  await expect(recording).rejects.toMatchObject({ code: "store-failed" });
  expect(session.active).toEqual([]);
  expect(session.ledger.entries).toMatchObject([
    { type: "operation-failed", operation: "activate", code: "store-failed" },
  ]);
});
