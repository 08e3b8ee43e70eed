import type { ChatMessage } from "../../../shared/api.ts";
import type { Attachment } from "../../../shared/attachments-api.ts";

/** The parts of a message with files. */
export function messageParts(text: string, files: readonly Attachment[]): ChatMessage["parts"] {
  return [
    ...files.map((data) => ({ type: "data-attachment" as const, data })),
    ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
  ];
}

export function attachmentsOf({ parts }: Pick<ChatMessage, "parts">): readonly Attachment[] {
  return parts.flatMap((part) => (part.type === "data-attachment" ? [part.data] : []));
}
