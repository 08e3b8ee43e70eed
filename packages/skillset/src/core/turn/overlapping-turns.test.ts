import { expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import type { SessionState } from "../conversation/state.ts";
import { MemorySessionStore } from "../conversation/store.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { TurnMessage } from "./turn.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Boil water." });
const pdf = defineSkill({ name: "pdf", description: "Reads PDFs.", body: "Open the file." });
const user = (text: string): TurnMessage => ({ role: "user", text });
const HI = [user("Hi.")];

/** Fails the next save if the test says so. */
class FailingStore extends MemorySessionStore {
  failsNext = false;

  override async save(id: string, state: SessionState): Promise<void> {
    const fails = this.failsNext;
    this.failsNext = false;
    if (fails) throw new Error("The disk is full.");
    await super.save(id, state);
  }
}

async function open(store: MemorySessionStore) {
  const session = await (await createSkillset([tea])).session({ id: "chat", store });
  await session.turn([user("Before.")]);
  return session;
}

test("turns for one message have the same bytes, and the store gets their notice once", async () => {
  const store = new MemorySessionStore();
  const session = await open(store);
  await session.activate("tea");
  const turns = await Promise.all([session.turn(HI), session.turn(HI), session.turn(HI)]);
  expect(turns[0].messages[0]?.text).toContain("Boil water.");
  expect(turns.map(({ messages }) => messages)).toEqual(turns.map(() => turns[0].messages));
  expect((await store.load("chat"))?.notices).toHaveLength(1);
});

test("first turns at the same time have one catalog", async () => {
  const session = await (await createSkillset([tea])).session();
  const [first, second] = await Promise.all([
    session.turn(HI, { catalog: { format: "json" } }),
    session.turn(HI, { catalog: { format: "xml" } }),
  ]);
  expect(JSON.parse(first.catalog.text)).toHaveProperty("available_skills");
  expect(second.catalog).toEqual(first.catalog);
});

test("a turn that cannot be saved takes back its own notice, and keeps that of another turn", async () => {
  const store = new FailingStore();
  const session = await open(store);
  await session.use(await createSkillset([tea, pdf]));
  store.failsNext = true;
  const [failed, kept] = await Promise.allSettled([session.turn(HI), session.turn([user("Hello.")])]);
  expect(failed).toMatchObject({ status: "rejected", reason: { code: "store-failed" } });
  if (kept.status === "rejected") throw kept.reason;
  const { notices = [] } = (await store.load("chat")) ?? {};
  expect(notices).toHaveLength(1);
  expect(kept.value.messages[0]?.text).toContain(notices[0]?.text);
  // The first message has no notice yet, so it gets one.
  expect((await session.turn(HI)).messages[0]?.text).toContain("These skills are new:");
  expect((await store.load("chat"))?.notices).toHaveLength(2);
});

test("a notice of another server that is loaded while a turn gathers is repeated, with its instructions", async () => {
  const store = new MemorySessionStore();
  const here = await open(store);
  await here.activate("tea");
  const there = await here.skillset.session({ id: "chat", store });
  const { messages: sent } = await there.turn(HI);
  const turning = here.turn(HI);
  await here.use(here.skillset);
  const { messages } = await turning;
  expect(sent[0]?.text).toContain("Boil water.");
  expect(messages).toEqual(sent);
  expect((await store.load("chat"))?.notices).toHaveLength(1);
});
