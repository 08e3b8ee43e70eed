import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { ChatUsage } from "../../shared/steps-api.ts";
import type { Queries } from "../database/database.ts";
import { answerSteps, promptTexts } from "../database/schema.ts";
import type { StepRecord } from "./step-record.ts";

/** Stores the steps of answers, and the chat's own words in their requests. */
export class StepStore {
  readonly #queries: Queries;
  /** The digests of words that are stored already. */
  readonly #stored = new Set<string>();

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** Does nothing if the chat was deleted. */
  async save(chatId: string, answerId: string, record: StepRecord, own: ReadonlyMap<string, string>): Promise<void> {
    const fresh = [...own].filter(([digest]) => !this.#stored.has(digest));
    if (fresh.length > 0) {
      const values = fresh.map(([digest, text]) => ({ digest, text }));
      await this.#queries.insert(promptTexts).values(values).onConflictDoNothing();
      for (const [digest] of fresh) this.#stored.add(digest);
    }
    const { step, usage } = record;
    await this.#queries.execute(sql`
      INSERT INTO answer_steps (chat_id, answer_id, step, input_tokens, output_tokens, is_estimate, cost, record)
      SELECT id, ${answerId}, ${step}, ${usage.input}, ${usage.output}, ${usage.isEstimate}, ${usage.cost ?? null},
        ${JSON.stringify(record)}
      FROM chats WHERE id = ${chatId}
      ON CONFLICT DO NOTHING`);
  }

  /** The steps of an answer, in order, up to the first that is missing. */
  async load(chatId: string, answerId: string): Promise<readonly StepRecord[]> {
    const isIts = and(eq(answerSteps.chatId, chatId), eq(answerSteps.answerId, answerId));
    const rows = await this.#queries
      .select({ record: answerSteps.record })
      .from(answerSteps)
      .where(isIts)
      .orderBy(asc(answerSteps.step));
    const records = rows.map(({ record }) => JSON.parse(record) as StepRecord);
    const missing = records.findIndex(({ step }, index) => step !== index + 1);
    return missing < 0 ? records : records.slice(0, missing);
  }

  /** What the answers of a chat used. The cost is undefined if the price of one was not known. */
  async usageOf(chatId: string): Promise<ChatUsage> {
    const { rows } = (await this.#queries.execute(sql`
      SELECT count(*)::integer AS steps, count(DISTINCT answer_id)::integer AS answers,
        coalesce(sum(input_tokens), 0)::float8 AS input, coalesce(sum(output_tokens), 0)::float8 AS output,
        coalesce(bool_or(is_estimate), false) AS "isEstimate",
        CASE WHEN count(cost) = count(*) THEN sum(cost) END AS cost
      FROM answer_steps WHERE chat_id = ${chatId}`)) as unknown as {
      rows: (Omit<ChatUsage, "cost"> & { readonly cost: number | null })[];
    };
    const [{ cost, ...sums }] = rows as [(typeof rows)[number]];
    return { ...sums, ...(cost !== null && { cost }) };
  }

  /** The words with these digests. */
  async words(digests: readonly string[]): Promise<readonly string[]> {
    if (digests.length === 0) return [];
    const rows = await this.#queries
      .select({ text: promptTexts.text })
      .from(promptTexts)
      .where(inArray(promptTexts.digest, [...digests]));
    return rows.map(({ text }) => text);
  }
}
