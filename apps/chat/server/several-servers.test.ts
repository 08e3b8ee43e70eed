import type { ScriptStep } from "@skillset/testing";
import { createSkillset } from "skillset";
import { outputsOf } from "skillset/scripts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../../../test/temporary-folder.ts";
import type { ChatPage } from "../shared/api.ts";
import type { SkillsView } from "../shared/skills-api.ts";
import { LISTENER } from "./database/listen.ts";
import { openServer } from "./database/open-server.ts";
import { type OpenChatOptions, openChat, readChunks, type TestChat } from "./testing/open-chat.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "./testing/postgres-server.ts";
import { testRunner } from "./testing/test-runner.ts";

const FILES = { ".skills/notes/SKILL.md": skillMd("notes") };

describe.skipIf(!hasPostgres)(`two servers on one database${POSTGRES_MISSING}`, () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  /** The first server has the script; both use the same project. */
  async function openTwo(script: readonly ScriptStep[] = [], options: OpenChatOptions = {}) {
    const url = await postgres.createDatabase();
    const one = await openChat({ files: FILES, script, ...options, database: await openServer(url) });
    const { project } = one;
    const other = await openChat({
      script: [{ say: "From the other." }],
      project,
      ...options,
      database: await openServer(url),
    });
    return { one, other, url };
  }

  /** Counts how often the pages of a server were notified of changed chats. */
  function countTold({ services }: TestChat): () => number {
    let told = 0;
    services.events.subscribe(({ type }) => {
      if (type === "chats-changed") told++;
    });
    return () => told;
  }

  /** Runs work on one server, and waits until the pages of the other are notified. */
  async function heard(told: () => number, work: () => Promise<unknown>): Promise<void> {
    const before = told();
    await work();
    await expect.poll(told).toBeGreaterThan(before);
  }

  /** An answer on the first server that waits for a signal. */
  function waitingAnswer(): { readonly script: readonly ScriptStep[]; readonly letGo: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late: ScriptStep = async () => {
      await promise;
      return { say: "Worth the wait." };
    };
    return { script: [late], letGo: resolve };
  }

  const texts = async (chat: TestChat, id: string): Promise<readonly string[]> =>
    (await chat.load(id)).messages.map(({ parts, metadata }) =>
      metadata?.isCut && parts.length === 0
        ? "(cut)"
        : parts.flatMap((part) => ("text" in part ? [part.text] : [])).join(),
    );

  test("a new chat, a message, its answer, a title, an unloaded skill and a deletion reach the pages of the other", async () => {
    const { one, other } = await openTwo([{ say: "Hi." }]);
    const told = countTold(other);
    let id = "";
    await heard(told, async () => {
      id = await one.create();
    });
    const list = async () => (await other.get<ChatPage>("/api/chats")).chats;
    expect((await list()).map((chat) => chat.id)).toEqual([id]);
    const before = told();
    await one.say(id, "Hello there");
    // Once for the message, once for the answer.
    await expect.poll(told).toBeGreaterThanOrEqual(before + 2);
    expect(await texts(other, id)).toEqual(["Hello there", "Hi."]);
    expect((await other.load(id)).title).toBe("Hello there");
    await heard(told, () => one.call("PATCH", `/api/chats/${id}`, { title: "Greetings" }));
    expect((await list()).map(({ title }) => title)).toEqual(["Greetings"]);
    await one.say(id, "/notes");
    await expect.poll(async () => (await other.load(id)).active.length).toBe(1);
    await heard(told, () => one.call("DELETE", `/api/chats/${id}/skills/notes`));
    expect((await other.load(id)).active).toEqual([]);
    await heard(told, () => one.call("DELETE", `/api/chats/${id}`));
    expect(await list()).toEqual([]);
    expect((await other.call("GET", `/api/chats/${id}`)).status).toBe(404);
  });

  test("an answer on one counts as running on the other, which starts none and has it when it is complete", async () => {
    const { script, letGo } = waitingAnswer();
    const { one, other } = await openTwo(script);
    const id = await one.create();
    const asked = one.ask(id, "Take your time").then(readChunks);
    await expect.poll(async () => (await other.load(id)).isAnswering).toBe(true);
    expect((await other.ask(id, "Me too")).status).toBe(409);
    expect((await other.ask(id, "Instead", { messageId: "x", replaceFrom: "m1" })).status).toBe(409);
    expect(await texts(other, id)).toEqual(["Take your time"]);
    expect((await other.call("DELETE", `/api/chats/${id}/skills/notes`)).status).toBe(409);
    await heard(countTold(other), async () => letGo());
    await asked;
    expect(await other.load(id)).toMatchObject({ isAnswering: false });
    expect(await texts(other, id)).toEqual(["Take your time", "Worth the wait."]);
  });

  test("an answer on one is stopped when the other deletes its chat", async () => {
    const { one, other } = await openTwo([{ hang: true }], { pace: "global" });
    const [id, second] = [await one.create(), await one.create()];
    const asked = one.ask(second, "Hello").then((response) => response.text());
    await expect.poll(() => one.model.requests.length).toBe(1);
    await other.call("DELETE", `/api/chats/${second}`);
    await asked;
    expect((await one.get<ChatPage>("/api/chats")).chats.map((chat) => chat.id)).toEqual([id]);
    await one.call("POST", `/api/bin/${second}/restore`);
    expect(await texts(other, second)).toEqual(["Hello"]);
  });

  test("the files of a chat that one deletes for good are removed on the other too", async () => {
    const { one, other } = await openTwo();
    const id = await one.create();
    // Its own files: by default, servers of one project share a folder.
    const current = await createSkillset([], { scripts: { runner: testRunner() } });
    Object.defineProperty(other.services.skills?.registry, "current", { value: current });
    await outputsOf(current, id)?.write("report.txt", Buffer.from("Steeped."));
    await one.call("DELETE", `/api/chats/${id}`);
    await one.call("DELETE", "/api/bin");
    await expect.poll(() => outputsOf(current, id)?.list()).toEqual([]);
  });

  test("of many concurrent messages in one chat, on both servers, one is answered", async () => {
    const { one, other } = await openTwo(Array(10).fill({ say: "Hi." }));
    const id = await one.create();
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).ask(id, "Hello", { messageId: `x${index}` })),
    );
    for (const response of asked) await response.text();
    const stored = asked.filter(({ ok }) => ok).length;
    expect(stored).toBeGreaterThanOrEqual(1);
    expect(asked.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await other.load(id)).messages).toHaveLength(2 * stored);
  });

  test("an answer on one can be stopped on the other", async () => {
    const { one, other } = await openTwo([{ hang: true }]);
    const id = await one.create();
    const asked = one.ask(id, "Never mind").then(readChunks);
    await expect.poll(async () => (await other.load(id)).isAnswering).toBe(true);
    expect((await other.call("POST", `/api/chats/${id}/stop`)).status).toBe(204);
    expect((await asked).map(({ type }) => type)).toContain("abort");
    await expect.poll(async () => (await other.load(id)).isAnswering).toBe(false);
  });

  const expire = (url: string) => postgres.run("UPDATE answers SET lease_until = now() - interval '1 second'", url);

  test("S17: an answer whose server died is marked as cut off, and the other server can regenerate it", async () => {
    const { one, other, url } = await openTwo([{ hang: true }]);
    const leaseEnd = async () => {
      const [answer] = await postgres.run("SELECT extract(epoch FROM lease_until) AS seconds FROM answers", url);
      return Number(answer?.seconds);
    };
    const id = await one.create();
    void one.ask(id, "Are you there?", { messageId: "m1" });
    await expect.poll(async () => (await other.load(id)).isAnswering).toBe(true);
    // While the lease is renewed, the answer counts as running, however long it takes.
    const first = await leaseEnd();
    await expect.poll(leaseEnd).toBeGreaterThan(first);
    expect((await other.load(id)).isAnswering).toBe(true);
    await one.services.database.close();
    await heard(countTold(other), () => expire(url));
    expect(await texts(other, id)).toEqual(["Are you there?", "(cut)"]);
    await other.say(id, "Are you there?", { messageId: "m1", replaceFrom: "m1" });
    expect(await texts(other, id)).toEqual(["Are you there?", "From the other."]);
  });

  test("S17: a late answer replaces its mark", async () => {
    const { script, letGo } = waitingAnswer();
    const { one, other, url } = await openTwo(script);
    const id = await one.create();
    const asked = one.ask(id, "Take your time").then(readChunks);
    await expect.poll(async () => (await other.load(id)).isAnswering).toBe(true);
    await expire(url);
    expect(await texts(other, id)).toEqual(["Take your time", "(cut)"]);
    letGo();
    await asked;
    expect(await texts(other, id)).toEqual(["Take your time", "Worth the wait."]);
  });

  test("S17: a late answer is discarded if the chat has moved on", async () => {
    const { script, letGo } = waitingAnswer();
    const { one, other, url } = await openTwo(script);
    const id = await one.create();
    const asked = one.ask(id, "Take your time", { messageId: "m1" }).then(readChunks);
    await expect.poll(async () => (await other.load(id)).isAnswering).toBe(true);
    await expire(url);
    await other.say(id, "Take your time", { messageId: "m1", replaceFrom: "m1" });
    letGo();
    await asked;
    expect(await texts(other, id)).toEqual(["Take your time", "From the other."]);
  });

  test("a server catches up with changes that it missed", async () => {
    const { one, other, url } = await openTwo([{ say: "Hi." }]);
    const id = await one.create();
    const told = countTold(other);
    await expect.poll(told).toBe(0);
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = '${LISTENER}' AND datname = current_database()`;
    expect(await postgres.run(cut, url)).toHaveLength(2);
    await one.asAdmin("PUT", "/api/skills/notes/switch", { isEnabled: false });
    await one.call("PATCH", `/api/chats/${id}`, { title: "Unheard" });
    await expect.poll(told).toBeGreaterThan(0);
    const states = async () => (await other.get<SkillsView>("/api/skills")).rows.map(({ state }) => state);
    await expect.poll(states).toEqual(["disabled"]);
    // It receives notices again.
    await heard(told, () => one.call("PATCH", `/api/chats/${id}`, { title: "Heard" }));
  });
});
