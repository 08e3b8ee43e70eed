import type { ChatSummary } from "../../shared/api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { notFound } from "../http/api-failure.ts";

/** Returns the chat with the id; throws if it does not exist. */
export async function findChat(chats: Pick<ChatStore, "get">, id: string): Promise<ChatSummary> {
  const chat = await chats.get(id);
  if (chat === undefined) throw notFound("Chat");
  return chat;
}
