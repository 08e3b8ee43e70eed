import { asc } from "drizzle-orm";
import type { ChatMessage } from "../../shared/api.ts";
import type { Queries } from "../database/database.ts";
import { messages } from "../database/schema.ts";
import { isShownIn } from "./branches.ts";
import { fold, NEW_CHAT, titleFrom } from "./message-words.ts";
import { storable } from "./storable.ts";

/** The columns of a title. */
export interface Titled {
  readonly title: string;
  /** Normalized for search. */
  readonly titleWords: string;
}

export function titled(given: string): Titled {
  const title = storable(given);
  return { title, titleWords: fold(title) };
}

type First = Pick<ChatMessage, "parts" | "role"> | undefined;

/** The title for a new first message; undefined if the title stays, because the user set it or nothing changed. */
export function chatTitle(title: string, before: First, after: First): Titled | undefined {
  const isOurs = title === NEW_CHAT || (before !== undefined && title === titled(titleFrom(before)).title);
  return isOurs && after?.role === "user" ? titled(titleFrom(after)) : undefined;
}

/** The first message of a chat, which its title is made from. */
export async function firstMessage(queries: Queries, chatId: string) {
  const isIn = isShownIn(chatId);
  return (await queries.select().from(messages).where(isIn).orderBy(asc(messages.position)).limit(1))[0];
}
