import type { ChatSummary } from "../../shared/api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { notFound } from "../http/api-failure.ts";

/** The chat that an address names; throws when there is none. */
export async function findChat(chats: Pick<ChatStore, "get">, id: string): Promise<ChatSummary> {
  const chat = await chats.get(id);
  if (chat === undefined) throw notFound("such chat");
  return chat;
}
