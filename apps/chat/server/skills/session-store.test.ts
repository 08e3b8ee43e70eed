import { sql } from "drizzle-orm";
import type { SessionState } from "skillset";
import { afterEach, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";
import { DatabaseSessionStore } from "./session-store.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/ant/SKILL.md": skillMd("ant", "Knows the ant.", "Say this of the ant: $ARGUMENTS"),
  ".skills/bee/SKILL.md": skillMd("bee", "Knows the bee.", "What to say of the bee."),
};

/** The bodies of all requests of a chat whose server is restarted after two turns. */
async function requestsOf(atRestart: (chat: TestChat, id: string) => Promise<void>): Promise<readonly string[]> {
  const project = temporaryFolder(FILES);
  const first = await openChat({ project, script: [{ say: "One." }, { say: "Two." }], pace: "global" });
  const id = await first.create();
  await first.say(id, "/ant is small", { messageId: "a" });
  await first.say(id, "What else?", { messageId: "b" });
  await atRestart(first, id);
  const second = await openChat({ project, script: [{ say: "Three." }, { say: "Four." }], pace: "global" });
  await second.say(id, "/bee", { messageId: "c" });
  await second.say(id, "Thanks.", { messageId: "d" });
  expect([...first.model.faults, ...second.model.faults]).toEqual([]);
  return [...first.model.requests, ...second.model.requests].map(({ body }) => JSON.stringify(body));
}

test("a chat that was stored with version 2 continues with the same requests, and is then stored with version 3", async () => {
  const expected = await requestsOf(async () => {});
  await emptyDatabase();
  const versions: unknown[] = [];
  let stored: TestChat | undefined;
  const requests = await requestsOf(async (chat) => {
    stored = chat;
    versions.push(await versionsIn(chat));
    await chat.services.database.queries.execute(sql`UPDATE chat_sessions SET version = 2`);
  });
  versions.push(await versionsIn(stored as TestChat));
  expect(versions).toEqual([[3], [3]]);
  expect(requests).toHaveLength(4);
  expect(requests).toEqual(expected);
});

async function versionsIn(chat: TestChat): Promise<readonly number[]> {
  const { rows } = (await chat.services.database.queries.execute(
    sql`SELECT version FROM chat_sessions`,
  )) as unknown as { rows: { version: number }[] };
  return rows.map(({ version }) => version);
}

const STATE: SessionState = {
  version: 3,
  active: [
    { name: "ant", digest: "sha256:1", by: "user", arguments: "is small" },
    { name: "bee", digest: "sha256:2", by: "model" },
  ],
  spent: 7,
  notices: [{ message: "mark", position: 0, invoked: [{ name: "ant", digest: "sha256:1", changed: false }] }],
};

test("the store returns the state that it received, also without a catalog, and a version that it does not know", async () => {
  const chat = await openChat();
  const store = new DatabaseSessionStore(chat.services.database.queries);
  const id = await chat.create();
  expect(await store.load(id)).toEqual({ version: 3, active: [], spent: 0, notices: [] });
  await store.save(id, STATE);
  expect(await store.load(id)).toEqual(STATE);
  await store.save(id, { ...STATE, active: STATE.active.slice(1), version: 4 as 3 });
  expect(await store.load(id)).toEqual({ ...STATE, active: STATE.active.slice(1), version: 4 });
});
