import type { ChatMessage } from "../../shared/api.ts";

/** What a chat is called before anything was said in it. */
export const NEW_CHAT = "New chat";

/** What people and models wrote in a message, without tools and data. */
export function wordsOf({ parts }: Pick<ChatMessage, "parts">): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** A text as searches compare it: in one case and one spelling, which databases do each in their own way. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** A chat's title: the start of its first message, in one line. */
export function titleFrom(message: Pick<ChatMessage, "parts">): string {
  const line = wordsOf(message).replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST) return line || NEW_CHAT;
  const cut = line.slice(0, LONGEST);
  const end = cut.lastIndexOf(" ");
  return `${(end > LONGEST / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

const LONGEST = 60;
