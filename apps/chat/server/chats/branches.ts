import { and, asc, desc, eq, gt, inArray, max, type SQL, sql } from "drizzle-orm";
import type { ChatMessage } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import { answerSteps, chatSkills, messages, type Tail, type TailSkill } from "../database/schema.ts";
import { skillsActivatedFrom } from "./activated-skills.ts";
import { hasContent } from "./message-words.ts";

// A chat is a tree of messages, of which one branch is shown. Every message has a higher position than its parent, so
// the order of positions is the order of every branch.

/** The shown messages of a chat. */
export function isShownIn(chatId: string): SQL | undefined {
  return and(eq(messages.chatId, chatId), messages.isShown);
}

/** The id of the last shown message: the parent of the next one. */
export function lastShown(chatId: string | SQL): SQL {
  return sql`(SELECT id FROM messages WHERE chat_id = ${chatId} AND is_shown ORDER BY position DESC LIMIT 1)`;
}

/**
 * Hides all shown messages after a position. They stay as a branch, except for a single answer that failed before its
 * first word. Returns the skills that were first activated in them.
 */
export async function hideAfter(queries: Queries, chatId: string, position: number): Promise<readonly string[]> {
  const shown = await queries.select().from(messages).where(isShownIn(chatId)).orderBy(asc(messages.position));
  const hidden = shown.filter((message) => message.position > position);
  const [first, last] = [hidden[0], hidden.at(-1)];
  if (first === undefined || last === undefined) return [];
  const skills = skillsActivatedFrom(shown, first.id);
  const isIts = eq(messages.chatId, chatId);
  if (first === last && first.role === "assistant" && !hasContent(first)) {
    await queries.delete(messages).where(and(isIts, eq(messages.id, first.id)));
    await queries.delete(answerSteps).where(and(eq(answerSteps.chatId, chatId), eq(answerSteps.answerId, first.id)));
    return skills;
  }
  const tail: Tail = { last: last.id, skills: await activeAmong(queries, chatId, skills) };
  await queries
    .update(messages)
    .set({ isShown: false })
    .where(and(isShownIn(chatId), gt(messages.position, position)));
  await queries
    .update(messages)
    .set({ tail })
    .where(and(isIts, eq(messages.id, first.id)));
  return skills;
}

/** The result of showing a branch. `skills` are those that only the branch that was shown before activated. */
export type ShownBranch =
  | { readonly outcome: "shown"; readonly skills: readonly string[] }
  | { readonly outcome: "not-found" };

/** Shows the branch that starts with a message, in place of the one that is shown beside it. */
export async function showBranch(queries: Queries, chatId: string, messageId: string): Promise<ShownBranch> {
  const isIt = and(eq(messages.chatId, chatId), eq(messages.id, messageId));
  const [first] = await queries.select().from(messages).where(isIt);
  if (first === undefined) return { outcome: "not-found" };
  if (first.isShown) return { outcome: "shown", skills: [] };
  const place = await positionOf(queries, chatId, first.parentId);
  if (place === undefined || first.tail === null) return { outcome: "not-found" };
  const hidden = await hideAfter(queries, chatId, place);
  await queries.execute(sql`
    WITH RECURSIVE branch AS (
      SELECT id, parent_id FROM messages WHERE chat_id = ${chatId} AND id = ${first.tail.last}
      UNION ALL
      SELECT messages.id, messages.parent_id FROM messages JOIN branch ON messages.id = branch.parent_id
      WHERE messages.chat_id = ${chatId} AND branch.id <> ${messageId}
    )
    UPDATE messages SET is_shown = true, tail = CASE WHEN id = ${messageId} THEN NULL ELSE tail END
    WHERE chat_id = ${chatId} AND id IN (SELECT id FROM branch)`);
  await addSkills(queries, chatId, first.tail.skills);
  const kept = new Set(first.tail.skills.map(({ name }) => name));
  return { outcome: "shown", skills: hidden.filter((name) => !kept.has(name)) };
}

/** If the last message that is shown has answers in other branches, shows the latest of them. */
export async function showLatestAnswer(queries: Queries, chatId: string): Promise<void> {
  const isNext = and(eq(messages.chatId, chatId), eq(messages.parentId, lastShown(chatId)));
  const [next] = await queries.select().from(messages).where(isNext).orderBy(desc(messages.position)).limit(1);
  if (next !== undefined) await showBranch(queries, chatId, next.id);
}

/** The position of a shown message; 0 for the place before the first message, and undefined if it is not shown. */
async function positionOf(queries: Queries, chatId: string, id: string | null): Promise<number | undefined> {
  if (id === null) return 0;
  const { position } = messages;
  const isIt = and(isShownIn(chatId), eq(messages.id, id));
  return (await queries.select({ position }).from(messages).where(isIt))[0]?.position;
}

/** The messages that each shown message has beside it, itself among them, in the order in which they were written. */
export async function siblingsOf(queries: Queries, chatId: string): Promise<Readonly<Record<string, string[]>>> {
  const { id, parentId, isShown } = messages;
  const rows = await queries
    .select({ id, parentId, isShown })
    .from(messages)
    .where(eq(messages.chatId, chatId))
    .orderBy(asc(messages.position));
  const families = Map.groupBy(rows, (row) => row.parentId);
  const siblings = rows.flatMap((row) => {
    const family = families.get(row.parentId) ?? [];
    return row.isShown && family.length > 1 ? [[row.id, family.map((one) => one.id)] as const] : [];
  });
  return Object.fromEntries(siblings);
}

/** A message of any branch. */
export interface TreeMessage extends ChatMessage {
  /** The message before it; undefined for a first message. */
  readonly parentId?: string;
  /** Whether it is in the branch that is shown. */
  readonly isShown: boolean;
}

/** All messages of a chat, in the order in which they were written. */
export async function treeOf(queries: Queries, chatId: string): Promise<readonly TreeMessage[]> {
  const rows = await queries.select().from(messages).where(eq(messages.chatId, chatId)).orderBy(asc(messages.position));
  return rows.map(({ id, role, parts, metadata, parentId, isShown }) => {
    const message = { id, role, parts, metadata, isShown };
    return parentId === null ? message : { ...message, parentId };
  });
}

async function activeAmong(queries: Queries, chatId: string, names: readonly string[]): Promise<TailSkill[]> {
  if (names.length === 0) return [];
  const rows = await queries
    .select()
    .from(chatSkills)
    .where(and(eq(chatSkills.chatId, chatId), inArray(chatSkills.name, [...names])))
    .orderBy(asc(chatSkills.position));
  return rows.map(({ name, digest, by, arguments: words }) => ({
    ...{ name, digest, by },
    ...(words !== null && { arguments: words }),
  }));
}

async function addSkills(queries: Queries, chatId: string, skills: readonly TailSkill[]): Promise<void> {
  if (skills.length === 0) return;
  const isIn = eq(chatSkills.chatId, chatId);
  const [last] = await queries
    .select({ position: max(chatSkills.position) })
    .from(chatSkills)
    .where(isIn);
  const start = (last?.position ?? -1) + 1;
  const rows = skills.map((skill, index) => ({ ...skill, chatId, position: start + index }));
  await queries.insert(chatSkills).values(rows).onConflictDoNothing();
}
