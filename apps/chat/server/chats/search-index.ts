import { type SQL, sql } from "drizzle-orm";
import type { Database, Queries } from "../database/database.ts";
import { databaseFaultOf } from "../database/database-fault.ts";

export interface IndexOptions {
  /** The maximum number of chats that are found by their title, and by their messages. */
  readonly most: number;
  readonly milliseconds: number;
}

/**
 * Finds chats through the trigram indexes. Returns undefined if they do not help: the text has no three letters in a row,
 * or too many messages have the same trigrams. The database matches each of those in one go, and the embedded one blocks
 * this thread meanwhile.
 */
export async function findIndexed(
  { queries, isShared }: Pick<Database, "queries" | "isShared">,
  text: string,
  { most, milliseconds }: IndexOptions,
): Promise<readonly string[] | undefined> {
  const trigrams = trigramsIn(text);
  if (trigrams.length === 0) return undefined;
  if ((await countAlike(queries, trigrams)) > (isShared ? MOST_MATCHED.server : MOST_MATCHED.embedded))
    return undefined;
  const pattern = `***=${text}`;
  try {
    return await queries.transaction(async (transaction) => {
      if (isShared) await set(transaction, "statement_timeout", String(Math.ceil(milliseconds)));
      // The database underestimates the cost of matching long texts.
      await set(transaction, "enable_seqscan", "off");
      const titles = await idsOf(transaction, titleHits(pattern, most));
      return [...new Set([...titles, ...(await idsOf(transaction, messageHits(pattern, most)))])];
    });
  } catch (error) {
    // The statement took too long.
    if (isShared && databaseFaultOf(error) === "unreachable") return undefined;
    throw error;
  }
}

function titleHits(pattern: string, most: number): SQL {
  return sql`SELECT id FROM chats WHERE title_words ~ ${pattern} AND deleted_at IS NULL
    ORDER BY updated_at DESC, id DESC LIMIT ${most}`;
}

/** Grouped first: next to the limit, the database would read the messages of each chat instead of the index. */
export function messageHits(pattern: string, most: number): SQL {
  return sql`SELECT id
    FROM (SELECT chat_id FROM messages WHERE words ~ ${pattern} AND is_shown GROUP BY chat_id) AS hits JOIN chats ON id = chat_id
    WHERE deleted_at IS NULL ORDER BY updated_at DESC, id DESC LIMIT ${most}`;
}

/** Until the end of the transaction. */
async function set(transaction: Queries, setting: string, value: string): Promise<void> {
  await transaction.execute(sql`SELECT set_config(${setting}, ${value}, true)`);
}

async function idsOf(queries: Queries, query: SQL): Promise<readonly string[]> {
  const { rows } = (await queries.execute(query)) as unknown as { rows: { id: string }[] };
  return rows.map(({ id }) => id);
}

/** Some of the trigrams that the index has of a text, from all of its parts. Letters of other scripts may have none. */
function trigramsIn(text: string): readonly string[] {
  const all = [...text.matchAll(/(?=([a-z0-9]{3}))/g)].map(([, trigram = ""]) => trigram);
  const step = Math.max(1, Math.floor(all.length / (SAMPLED_TRIGRAMS - 1)));
  return [...new Set([...all.filter((_, index) => index % step === 0), ...all.slice(-1)])].slice(0, SAMPLED_TRIGRAMS);
}

/** Estimates from a random sample how many characters all messages with these trigrams have. */
async function countAlike(queries: Queries, trigrams: readonly string[]): Promise<number> {
  const hasAll = sql.join(
    trigrams.map((trigram) => sql`sample.words ~ ${`***=${trigram}`}`),
    sql` AND `,
  );
  const { rows } =
    (await queries.execute(sql`SELECT max(last - first + 1)::float8 AS total, count(*)::integer AS sampled,
      (sum(length(sample.words)) FILTER (WHERE ${hasAll}))::float8 AS alike
    FROM (SELECT min(position) AS first, max(position) AS last FROM messages) AS ends,
      LATERAL (
        SELECT first + floor(random() * (last - first + 1))::bigint AS place FROM generate_series(1, ${SAMPLE}::integer)
      ) AS places,
      LATERAL (SELECT words FROM messages WHERE position >= place ORDER BY position LIMIT 1) AS sample`)) as unknown as {
      rows: { total: number | null; sampled: number; alike: number | null }[];
    };
  const { total, sampled = 0, alike } = rows[0] ?? {};
  return sampled === 0 ? 0 : ((total ?? 0) * (alike ?? 0)) / sampled;
}

/** The characters that may be matched at once: some ten milliseconds on this thread, or about a second on a server. */
const MOST_MATCHED = { embedded: 2_000_000, server: 200_000_000 };
const SAMPLE = 40;
const SAMPLED_TRIGRAMS = 3;
