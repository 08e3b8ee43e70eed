import type { ChatMessage } from "../../shared/api.ts";

/** The title of a chat without messages. */
export const NEW_CHAT = "New chat";

/** The text of a message, without tool calls and data. */
export function wordsOf({ parts }: Pick<ChatMessage, "parts">): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Whether a message has content; an answer that failed at once has none. */
export function hasContent({ parts }: Pick<ChatMessage, "parts">): boolean {
  return parts.some(({ type }) => type !== "step-start" && !type.startsWith("data-"));
}

/** Normalizes case and Unicode for search. Done here because databases differ in it. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** The searchable text: the start of the message, so that long messages do not slow down every search. */
export function searchWordsOf(message: Pick<ChatMessage, "parts">): string {
  return fold(wordsOf(message).slice(0, LONGEST_SEARCHED)).slice(0, LONGEST_SEARCHED).toWellFormed();
}

const LONGEST_SEARCHED = 20_000;

/** Creates a chat's title from the start of its first message, on one line and without the names of skills. */
export function titleFrom(message: Pick<ChatMessage, "parts">, otherwise = NEW_CHAT): string {
  const line = wordsOf(message)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:\/[\w-]+ )+/, "");
  if (line.length <= LONGEST) return line || fileNameOf(message) || otherwise;
  const cut = line.slice(0, LONGEST);
  const end = cut.lastIndexOf(" ");
  return `${(end > LONGEST / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

const LONGEST = 60;

function fileNameOf({ parts }: Pick<ChatMessage, "parts">): string | undefined {
  return parts.find((part) => part.type === "data-attachment")?.data.name.slice(0, LONGEST);
}
