import type { ChatMessage } from "../../../../shared/api.ts";

/** The text of a message without tool results. */
export function answerText({ parts }: ChatMessage): string {
  return parts
    .filter((part) => part.type === "text")
    .map(({ text }) => text)
    .join("\n\n");
}
