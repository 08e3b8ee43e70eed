import type { ChatSummary } from "../../shared/api.ts";
import type { chats } from "../database/schema.ts";

/** Converts the row of a chat. */
export function toSummary(row: typeof chats.$inferSelect): ChatSummary {
  const { id, title, modelId, createdAt, updatedAt } = row;
  return { id, title, modelId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
