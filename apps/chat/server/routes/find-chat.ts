import type { ChatSummary } from "../../shared/api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";

/** Returns the chat with the id; throws if it does not exist or is in the bin. */
export async function findChat(chats: Pick<ChatStore, "get" | "isInBin">, id: string): Promise<ChatSummary> {
  const chat = await chats.get(id);
  if (chat !== undefined) return chat;
  if (await chats.isInBin(id)) throw new ApiFailure(404, "chat-in-bin", "This chat is in the bin. Restore it first.");
  throw notFound("Chat");
}
