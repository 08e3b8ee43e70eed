import type { ChatMessage } from "../../../../shared/api.ts";

/** The message's words, without what its tools gave. */
export function answerText({ parts }: ChatMessage): string {
  return parts
    .filter((part) => part.type === "text")
    .map(({ text }) => text)
    .join("\n\n");
}
