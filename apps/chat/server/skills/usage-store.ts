import { and, eq, gte, isNull, sql } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { chats, skillUsage } from "../database/schema.ts";

export interface UsageTotal {
  readonly chats: number;
  readonly activations: number;
}

/** Counts skill activations by day and chat. Chats in the bin do not count until they are restored. */
export class UsageStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async count(skill: string, chatId: string, at: number): Promise<void> {
    await this.#queries
      .insert(skillUsage)
      .values({ skill, chatId, day: dayOf(at), activations: 1 })
      .onConflictDoUpdate({
        target: [skillUsage.skill, skillUsage.day, skillUsage.chatId],
        set: { activations: sql`${skillUsage.activations} + 1` },
      });
  }

  async totals(): Promise<ReadonlyMap<string, UsageTotal>> {
    const rows = await this.#queries
      .select({
        skill: skillUsage.skill,
        chats: sql<number>`count(DISTINCT ${skillUsage.chatId})::int`,
        activations: sql<number>`sum(${skillUsage.activations})::int`,
      })
      .from(skillUsage)
      .innerJoin(chats, IS_SHOWN)
      .groupBy(skillUsage.skill);
    return new Map(rows.map(({ skill, ...total }) => [skill, total]));
  }

  /** The last thirty days, oldest first, including days without activations. */
  async days(skill: string, now = Date.now()): Promise<readonly { day: string; activations: number }[]> {
    const days = Array.from({ length: DAYS }, (_, index) => dayOf(now - (DAYS - 1 - index) * DAY));
    const rows = await this.#queries
      .select({ day: skillUsage.day, activations: sql<number>`sum(${skillUsage.activations})::int` })
      .from(skillUsage)
      .innerJoin(chats, IS_SHOWN)
      .where(and(eq(skillUsage.skill, skill), gte(skillUsage.day, days[0] as string)))
      .groupBy(skillUsage.day);
    const counts = new Map(rows.map(({ day, activations }) => [day, activations]));
    return days.map((day) => ({ day, activations: counts.get(day) ?? 0 }));
  }
}

const IS_SHOWN = and(eq(chats.id, skillUsage.chatId), isNull(chats.deletedAt));
const DAYS = 30;
const DAY = 86_400_000;

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
