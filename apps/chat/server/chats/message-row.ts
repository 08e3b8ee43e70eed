import type { ChatMessage } from "../../shared/api.ts";
import type { messages } from "../database/schema.ts";
import { searchWordsOf } from "./message-words.ts";
import { storable } from "./storable.ts";

/** Converts a message to its row. */
export function toRow(chatId: string, message: ChatMessage): typeof messages.$inferInsert {
  const { id, role, parts, metadata = {} } = storable(message);
  return { chatId, id, role, parts, metadata, words: searchWordsOf({ parts }) };
}
