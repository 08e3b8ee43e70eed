import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, inArray, max, sql } from "drizzle-orm";
import type { ChatMessage } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import { type BinnedSkill, chatSkills, messages, replacedMessages, replacements } from "../database/schema.ts";
import { skillsActivatedFrom } from "./activated-skills.ts";
import { hasContent, titleFrom, wordsOf } from "./message-words.ts";

/** Messages that were taken out of a chat. */
export interface Cut {
  /** The skills that were first activated in them. */
  readonly skills: readonly string[];
  /** Their entry in the bin, if there is one. */
  readonly entry?: { readonly id: string; readonly count: number };
}

export interface CutOptions {
  /** The position of the last message that stays; 0 for none. */
  readonly place: number;
  /** The message that comes next instead. */
  readonly instead: Pick<ChatMessage, "parts"> | undefined;
  /** False deletes the messages for good. */
  readonly isKept: boolean;
}

/** Takes all messages after a place out of a chat. They move to the bin, unless nothing in them is lost. */
export async function cutMessages(
  queries: Queries,
  chatId: string,
  { place, instead, isKept }: CutOptions,
): Promise<Cut> {
  const isIn = eq(messages.chatId, chatId);
  const all = await queries.select().from(messages).where(isIn).orderBy(asc(messages.position));
  const cut = all.filter(({ position }) => position > place);
  const [first] = cut;
  if (first === undefined) return { skills: [] };
  const skills = skillsActivatedFrom(all, first.id);
  const lost = isKept ? lostMessages(cut, instead) : [];
  const isCut = and(isIn, gt(messages.position, place));
  if (lost[0] === undefined) {
    await queries.delete(messages).where(isCut);
    return { skills };
  }
  const id = randomUUID();
  const excerpt = wordsOf(lost[0]).trim() === "" ? "" : titleFrom(lost[0]);
  const values = { id, chatId, place, count: lost.length, excerpt, skills: await activeAmong(queries, chatId, skills) };
  await queries.insert(replacements).values(values);
  await queries.execute(sql`
    INSERT INTO replaced_messages (replacement_id, id, position, role, parts, metadata, words)
    SELECT ${id}, id, position, role, parts, metadata, words FROM messages
    WHERE chat_id = ${chatId} AND position > ${place}`);
  await queries.delete(messages).where(isCut);
  return { skills, entry: { id, count: lost.length } };
}

/** A question that is asked again is not lost, and neither is an answer that failed before its first word. */
function lostMessages<Message extends Pick<ChatMessage, "role" | "parts">>(
  cut: readonly Message[],
  instead: CutOptions["instead"],
): readonly Message[] {
  return cut.filter((message, index) => {
    if (message.role !== "user") return hasContent(message);
    return index > 0 || instead === undefined || wordsOf(message) !== wordsOf(instead);
  });
}

async function activeAmong(queries: Queries, chatId: string, names: readonly string[]): Promise<BinnedSkill[]> {
  if (names.length === 0) return [];
  const { name, digest, by, position } = chatSkills;
  return queries
    .select({ name, digest, by })
    .from(chatSkills)
    .where(and(eq(chatSkills.chatId, chatId), inArray(name, [...names])))
    .orderBy(asc(position));
}

/** The result of putting messages back. `skills` are those that only the messages in the bin now activated. */
export type PutBack =
  | { readonly outcome: "restored"; readonly skills: readonly string[] }
  | { readonly outcome: "out-of-order" };

/**
 * Puts replaced messages back in their place. The messages that took it move to the bin. A chat and its replaced messages are a
 * tree: if the message before the replaced ones is in the bin too, it has to come back first.
 */
export async function putBack(
  queries: Queries,
  { id, chatId, place, skills }: typeof replacements.$inferSelect,
): Promise<PutBack> {
  const { position } = messages;
  const shown = await queries.select({ id: messages.id, position }).from(messages).where(eq(messages.chatId, chatId));
  if (await isInBin(queries, chatId, place)) return { outcome: "out-of-order" };
  const isIts = eq(replacedMessages.replacementId, id);
  const old = await queries.select().from(replacedMessages).where(isIts).orderBy(asc(replacedMessages.position));
  // Only if the message before them was deleted for good, an older version of one of them may be above their place.
  const isTwice = shown.some((message) => message.position <= place && old.some((one) => one.id === message.id));
  const cut = await cutMessages(queries, chatId, { place: isTwice ? 0 : place, instead: old[0], isKept: true });
  await queries.execute(sql`
    INSERT INTO messages (chat_id, id, position, role, parts, metadata, words)
    SELECT ${chatId}, id, position, role, parts, metadata, words FROM replaced_messages WHERE replacement_id = ${id}`);
  await queries.delete(replacements).where(eq(replacements.id, id));
  await addSkills(queries, chatId, skills);
  const kept = new Set(skills.map(({ name }) => name));
  return { outcome: "restored", skills: cut.skills.filter((name) => !kept.has(name)) };
}

/** Whether the message at a position of a chat was replaced too. */
export async function isInBin(queries: Queries, chatId: string, position: number): Promise<boolean> {
  const isIt = and(eq(replacements.chatId, chatId), eq(replacedMessages.position, position));
  const found = await queries
    .select({ id: replacements.id })
    .from(replacements)
    .innerJoin(replacedMessages, eq(replacedMessages.replacementId, replacements.id))
    .where(isIt)
    .limit(1);
  return found.length > 0;
}

async function addSkills(queries: Queries, chatId: string, skills: readonly BinnedSkill[]): Promise<void> {
  if (skills.length === 0) return;
  const isIn = eq(chatSkills.chatId, chatId);
  const [last] = await queries
    .select({ position: max(chatSkills.position) })
    .from(chatSkills)
    .where(isIn);
  const start = (last?.position ?? -1) + 1;
  const rows = skills.map(({ name, digest, by }, index) => ({ chatId, name, digest, by, position: start + index }));
  await queries.insert(chatSkills).values(rows).onConflictDoNothing();
}
