import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatMessage } from "../../shared/api.ts";
import { recoverAnswers } from "../answers/recover-answers.ts";
import type { Database } from "../database/database.ts";
import { openServer } from "../database/open-server.ts";
import { openMemory } from "../testing/memory-database.ts";
import { hasPostgres, POSTGRES_MISSING, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { AnswerLeases } from "./answer-leases.ts";
import { BranchStore } from "./branch-store.ts";
import { ChatStore } from "./chat-store.ts";

const question = (text: string, id: string = randomUUID()): ChatMessage => ({
  id,
  role: "user",
  parts: [{ type: "text", text }],
  metadata: {},
});
const answer = (id: string, text: string): ChatMessage => ({ ...question(text, id), role: "assistant" });
const claim = () => ({ modelId: "offline", answerId: randomUUID() });

describe.each(["PGlite", "PostgreSQL"] as const)("on %s", (kind) => {
  const isMissing = kind === "PostgreSQL" && !hasPostgres;
  const suffix = isMissing ? POSTGRES_MISSING : "";
  const maybe = test.skipIf(isMissing);
  let postgres: PostgresServer | undefined;
  const databases: Database[] = [];
  /** Of two servers, if the database can be shared. */
  let stores: ChatStore[];

  beforeAll(async () => {
    if (isMissing) return;
    postgres = kind === "PostgreSQL" ? await startPostgres() : undefined;
    if (postgres === undefined) databases.push(await openMemory());
    else databases.push(await openServer(postgres.url), await openServer(postgres.url));
    stores = databases.map(
      (database) => new ChatStore(database, new AnswerLeases({ recover: recoverAnswers }), { hasBin: true }),
    );
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await postgres?.close();
  });
  const store = (at = 0): ChatStore => stores[at % stores.length] as ChatStore;
  const textsOf = async (chatId: string) =>
    (await store().messages(chatId)).map(({ parts }) => (parts[0] as { text: string }).text);
  const outcomesOf = async (chatId: string, messages: readonly ChatMessage[]) => {
    const asked = await Promise.all(messages.map((message, at) => store(at).ask(chatId, message, claim())));
    return Object.groupBy(
      asked.map(({ outcome }) => outcome),
      (outcome) => outcome,
    );
  };

  maybe(`of many questions at the same moment, one is stored and the others are refused${suffix}`, async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await store().create("offline");
      const all = Array.from({ length: 20 }, (_, at) => question(`Question ${at}`));
      const { stored, ...refused } = await outcomesOf(id, all);
      expect(stored).toHaveLength(1);
      expect(refused["under-way"]).toHaveLength(19);
      const texts = await textsOf(id);
      expect(texts).toHaveLength(1);
      expect((await store().get(id))?.title).toBe(texts[0]);
    }
  });

  maybe(`a question that is sent many times at the same moment is stored once${suffix}`, async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await store().create("offline");
      const message = question("Once?");
      const { stored } = await outcomesOf(
        id,
        Array.from({ length: 20 }, () => message),
      );
      expect(stored).toHaveLength(1);
      expect(await store().messages(id)).toHaveLength(1);
    }
  });

  maybe(`an answer and the next question at the same moment are both stored, in order${suffix}`, async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await store().create("offline");
      const first = claim();
      await store().ask(id, question("One?"), first);
      const next = question("Two?");
      const [isStored, { outcome }] = await Promise.all([
        store().answer(id, answer(first.answerId, "One.")),
        store(1).ask(id, next, claim()),
      ]);
      expect(isStored).toBe(true);
      if (outcome === "under-way") expect((await store(1).ask(id, next, claim())).outcome).toBe("stored");
      expect(await textsOf(id)).toEqual(["One?", "One.", "Two?"]);
    }
  });

  maybe(`an answer is stored once if it is sent twice, and not if its chat is deleted${suffix}`, async () => {
    const { id } = await store().create("offline");
    const { answerId, modelId } = claim();
    await store().ask(id, question("One?"), { answerId, modelId });
    expect(await store().answer(id, answer(answerId, "One."))).toBe(true);
    expect(await store(1).answer(id, answer(answerId, "One."))).toBe(true);
    expect(await store().messages(id)).toHaveLength(2);
    expect(await store().answer(id, answer(randomUUID(), "Unasked."))).toBe(false);
    expect(await store().answer(randomUUID(), answer(randomUUID(), "Nowhere."))).toBe(false);
    expect(await store().messages(id)).toHaveLength(2);
  });

  // The embedded database has one connection.
  if (kind === "PGlite") return;
  maybe(`a whole answer replaces a mark that another server sets at the same moment${suffix}`, async () => {
    const { id } = await store().create("offline");
    const { answerId, modelId } = claim();
    await store().ask(id, question("One?"), { answerId, modelId });
    const { queries } = databases[1] as Database;
    let storing = Promise.resolve(false);
    await queries.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT FROM answers WHERE chat_id = ${id} FOR UPDATE`);
      storing = store().answer(id, answer(answerId, "One, whole."));
      // It waits for the lock.
      await expect.poll(async () => await waitingFor(queries)).toBe(1);
      await transaction.execute(sql`INSERT INTO messages (chat_id, id, role, parts, metadata, words)
        VALUES (${id}, ${answerId}, 'assistant', '[{"type":"text","text":"One"}]', '{"isCut":true}', 'one')`);
      await transaction.execute(sql`DELETE FROM answers WHERE chat_id = ${id}`);
    });
    expect(await storing).toBe(true);
    expect(await textsOf(id)).toEqual(["One?", "One, whole."]);
  });

  maybe(`a question that waits while another branch is shown becomes a part of that branch${suffix}`, async () => {
    const { id } = await store().create("offline");
    const ask = async (message: ChatMessage, replaceFrom?: string) => {
      const claimed = claim();
      await store().ask(id, message, { ...claimed, ...(replaceFrom !== undefined && { replaceFrom }) });
      await store().answer(id, answer(claimed.answerId, "Yes."));
      return claimed.answerId;
    };
    const answerId = await ask(question("One?", "one"));
    await ask(question("Edited?", "edited"), "one");
    let asking: Promise<unknown> = Promise.resolve();
    await (databases[1] as Database).queries.transaction(async (transaction) => {
      const database = { queries: transaction, notify: async () => {} } as unknown as Database;
      const branches = new BranchStore(database, { stateOf: async () => "none" });
      expect(await branches.show(id, "one")).toMatchObject({ outcome: "shown" });
      asking = store().ask(id, question("Two?", "two"), claim());
      await expect.poll(async () => await waitingFor(databases[0]?.queries as Database["queries"])).toBe(1);
    });
    expect(await asking).toMatchObject({ outcome: "stored" });
    expect(await textsOf(id)).toEqual(["One?", "Yes.", "Two?"]);
    const tree = await new BranchStore(databases[0] as Database, { stateOf: async () => "none" }).tree(id);
    expect(tree.at(-1)).toMatchObject({ id: "two", parentId: answerId });
  });
});

/** The number of statements that wait for a lock. */
async function waitingFor(queries: Database["queries"]): Promise<number> {
  const { rows } = (await queries.execute(
    sql`SELECT count(*)::integer AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
  )) as unknown as { rows: { count: number }[] };
  return rows[0]?.count ?? 0;
}
