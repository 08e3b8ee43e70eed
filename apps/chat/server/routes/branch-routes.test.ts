import { setImmediate as letOthersRun } from "node:timers/promises";
import type { ScriptStep } from "@skillset/testing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatSummary } from "../../shared/api.ts";
import { openServer } from "../database/open-server.ts";
import { messages } from "../database/schema.ts";
import { emptyDatabase, type OpenChatOptions, openChat, type TestChat } from "../testing/open-chat.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";

afterEach(emptyDatabase);

const FILES = { ".skills/notes/SKILL.md": skillMd("notes"), ".skills/other/SKILL.md": skillMd("other") };

const show = async (chat: TestChat, id: string, messageId: string | undefined): Promise<number> =>
  (await chat.call("POST", `/api/chats/${id}/branch`, { messageId })).status;
const texts = async (chat: TestChat, id: string): Promise<readonly string[]> =>
  (await chat.load(id)).messages.map(({ parts }) =>
    parts.flatMap((part) => ("text" in part ? [part.text] : [])).join(),
  );
const answers = (...says: readonly string[]): readonly ScriptStep[] => says.map((say) => ({ say }));

describe.each(["PGlite", "PostgreSQL"] as const)("branches on %s", (kind) => {
  const isMissing = kind === "PostgreSQL" && !hasPostgres;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    if (kind === "PostgreSQL" && hasPostgres) postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());
  const skip = test.skipIf(isMissing);
  const suffix = isMissing ? POSTGRES_MISSING : "";

  async function open(script: readonly ScriptStep[], options: OpenChatOptions = {}): Promise<TestChat> {
    const database = postgres && (await openServer(await postgres.createDatabase()));
    return openChat({ files: FILES, script, pace: "global", ...options, ...(database && { database }) });
  }

  skip(`an edited message starts a branch, and the other one comes back as it was${suffix}`, async () => {
    const chat = await open(answers("One.", "Two.", "Three."));
    const id = await chat.create();
    await chat.say(id, "First", { messageId: "a" });
    await chat.say(id, "Second", { messageId: "b" });
    const before = await chat.load(id);
    expect(before.siblings).toEqual({});
    await chat.say(id, "Edited", { messageId: "c", replaceFrom: "a" });
    const edited = await chat.load(id);
    expect(await texts(chat, id)).toEqual(["Edited", "Three."]);
    expect(edited).toMatchObject({ title: "Edited", siblings: { c: ["a", "c"] } });
    expect(await show(chat, id, "a")).toBe(204);
    expect(await chat.load(id)).toMatchObject({ title: "First", messages: before.messages });
    expect((await chat.load(id)).siblings).toEqual({ a: ["a", "c"] });
    await show(chat, id, "c");
    expect((await chat.load(id)).messages).toEqual(edited.messages);
  });

  skip(`a new answer is a branch of the same question; a failed one without text is not kept${suffix}`, async () => {
    const chat = await open([{ fail: { status: 400, message: "No." } }, ...answers("Good.", "Better.", "More.")]);
    const id = await chat.create();
    const again = () => chat.say(id, "Hello", { messageId: "a", replaceFrom: "a" });
    await chat.say(id, "Hello", { messageId: "a" });
    await again();
    expect((await chat.load(id)).siblings).toEqual({});
    await again();
    expect(await texts(chat, id)).toEqual(["Hello", "Better."]);
    await chat.say(id, "More?", { messageId: "b" });
    const [[shown, versions] = []] = Object.entries((await chat.load(id)).siblings);
    expect(versions).toEqual([expect.any(String), shown]);
    await show(chat, id, versions?.[0]);
    expect(await texts(chat, id)).toEqual(["Hello", "Good."]);
    await show(chat, id, shown);
    expect(await texts(chat, id)).toEqual(["Hello", "Better.", "More?", "More."]);
  });

  skip(`branches within branches keep the version that was shown last${suffix}`, async () => {
    const chat = await open(answers("One.", "Two.", "Three.", "Four."));
    const id = await chat.create();
    await chat.say(id, "First", { messageId: "a" });
    await chat.say(id, "Second", { messageId: "b" });
    await chat.say(id, "Second, edited", { messageId: "c", replaceFrom: "b" });
    await chat.say(id, "First, edited", { messageId: "d", replaceFrom: "a" });
    expect(await show(chat, id, "b")).toBe(404);
    await show(chat, id, "a");
    expect(await texts(chat, id)).toEqual(["First", "One.", "Second, edited", "Three."]);
    await show(chat, id, "b");
    expect(await texts(chat, id)).toEqual(["First", "One.", "Second", "Two."]);
    await show(chat, id, "d");
    await show(chat, id, "a");
    expect(await texts(chat, id)).toEqual(["First", "One.", "Second", "Two."]);
    expect((await chat.load(id)).siblings).toEqual({ a: ["a", "d"], b: ["b", "c"] });
  });

  skip(`no branch is shown while an answer is written, and a stopped one brings the last answer back${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { hang: true }]);
    const id = await chat.create();
    await chat.say(id, "Hello", { messageId: "a" });
    const [, answer] = (await chat.load(id)).messages;
    const asked = chat.ask(id, "Hello", { messageId: "a", replaceFrom: "a" }).then((response) => response.text());
    await expect.poll(() => chat.model.requests.length).toBe(2);
    expect(await show(chat, id, answer?.id)).toBe(409);
    await chat.call("POST", `/api/chats/${id}/stop`);
    await asked;
    expect(await texts(chat, id)).toEqual(["Hello", "One."]);
  });

  skip(`each branch has its own active skills, also for the next answer${suffix}`, async () => {
    const chat = await open(answers("One.", "Two.", "Three."));
    const id = await chat.create();
    await chat.say(id, "/notes now", { messageId: "a" });
    await chat.say(id, "/other now", { messageId: "b", replaceFrom: "a" });
    const active = async () => (await chat.load(id)).active.map(({ name, by }) => `${name} ${by}`);
    expect(await active()).toEqual(["other user"]);
    await show(chat, id, "a");
    expect(await active()).toEqual(["notes user"]);
    await chat.say(id, "Continue");
    expect(await active()).toEqual(["notes user"]);
    await show(chat, id, "b");
    expect(await active()).toEqual(["other user"]);
  });

  skip(`a client gets a limited number of forks${suffix}`, async () => {
    const chat = await open(answers("Now."));
    const id = await chat.create();
    await chat.say(id, "Now", { messageId: "m1" });
    const fork = () => chat.call("POST", `/api/chats/${id}/fork`, { messageId: "m1" });
    const { branches } = chat.services;
    const copy = branches.fork.bind(branches);
    const refused = Promise.withResolvers<void>();
    const copying = vi.spyOn(branches, "fork").mockImplementationOnce(async (...given) => {
      await refused.promise;
      return copy(...given);
    });
    const first = fork();
    await vi.waitFor(() => expect(copying).toHaveBeenCalled());
    const others = await Promise.all([fork(), fork()]);
    expect(others.map(({ status }) => status)).toEqual([429, 429]);
    refused.resolve();
    expect((await first).status).toBe(201);
    let late: Response | undefined;
    for (let made = 1; made < 40 && late === undefined; made++) {
      const response = await fork();
      if (response.status !== 201) late = response;
    }
    expect(late?.status).toBe(429);
    expect(await late?.text()).toContain("Too many copies. Try again in");
  });

  skip(`other requests are answered between the messages that a fork copies${suffix}`, async () => {
    const chat = await open(answers("One.", "Two.", "Three.", "Four.", "Five.", "Six."));
    const id = await chat.create();
    for (const messageId of ["a", "b", "c", "d", "e", "f"]) await chat.say(id, "Next", { messageId });
    const { messages: copied } = await chat.load(id);
    let isDone = false;
    const forking = chat.call("POST", `/api/chats/${id}/fork`, { messageId: copied.at(-1)?.id });
    void forking.finally(() => {
      isDone = true;
    });
    // Each pause lets the server read the requests that have arrived.
    let pauses = 0;
    for (; !isDone; pauses++) await letOthersRun();
    expect((await forking).status).toBe(201);
    expect(pauses).toBeGreaterThanOrEqual(copied.length);
  });

  skip(`a fork is a chat with the messages up to one, and what they activated${suffix}`, async () => {
    const chat = await open(answers("One.", "Two.", "Three."));
    const id = await chat.create();
    await chat.say(id, "/notes now", { messageId: "a" });
    await chat.say(id, "/other now", { messageId: "b" });
    const before = await chat.load(id);
    const response = await chat.call("POST", `/api/chats/${id}/fork`, { messageId: before.messages[1]?.id });
    expect(response.status).toBe(201);
    const fork = (await response.json()) as ChatSummary;
    expect(fork.title).toBe("Now (fork)");
    const forked = await chat.load(fork.id);
    expect(forked.messages).toEqual(before.messages.slice(0, 2));
    expect(forked.active.map(({ name }) => name)).toEqual(["notes"]);
    await chat.say(fork.id, "Continue");
    expect(await texts(chat, fork.id)).toHaveLength(4);
    expect((await chat.load(id)).messages).toEqual(before.messages);
    expect((await chat.call("POST", `/api/chats/${id}/fork`, { messageId: "nothing" })).status).toBe(404);
  });

  skip(`exports have all branches${suffix}`, async () => {
    const chat = await open(answers("One.", "Two.", "Three."));
    const id = await chat.create();
    await chat.say(id, "First", { messageId: "a" });
    await chat.say(id, "Second", { messageId: "b" });
    await chat.say(id, "Second, edited", { messageId: "c", replaceFrom: "b" });
    const file = async (format: string) => (await chat.call("GET", `/api/chats/${id}/export?format=${format}`)).text();
    const { messages: all } = JSON.parse(await file("json"));
    expect(all).toMatchObject([
      { id: "a", isShown: true },
      { parentId: "a", isShown: true },
      { id: "b", parentId: all[1].id, isShown: false },
      { parentId: "b", isShown: false },
      { id: "c", parentId: all[1].id, isShown: true },
      { parentId: "c", isShown: true },
    ]);
    expect(await file("markdown")).toBe(
      `${[
        "# First",
        ...["## You", "First", "## Assistant", "One.", "## You", "Second, edited", "## Assistant", "Three."],
        ...["---", "# Another branch, after: One.", "## You", "Second", "## Assistant", "Two."],
      ].join("\n\n")}\n`,
    );
  });

  skip(`an edit whose response was lost is not stored twice, and an id is not used for two texts${suffix}`, async () => {
    const chat = await open([{ say: "One." }, { hang: true }, { say: "Two." }]);
    const id = await chat.create();
    await chat.say(id, "First", { messageId: "a" });
    const lost = chat.ask(id, "Edited", { messageId: "b", replaceFrom: "a" }).then((response) => response.text());
    await expect.poll(() => chat.model.requests.length).toBe(2);
    await chat.call("POST", `/api/chats/${id}/stop`);
    await lost;
    await chat.say(id, "Edited", { messageId: "b", replaceFrom: "a" });
    expect(await texts(chat, id)).toEqual(["Edited", "Two."]);
    expect((await chat.load(id)).siblings).toEqual({ b: ["a", "b"] });
    expect((await chat.ask(id, "Different", { messageId: "b", replaceFrom: "b" })).status).toBe(409);
    const { queries } = chat.services.database;
    expect(await queries.$count(messages, eq(messages.chatId, id))).toBe(4);
  });
});
