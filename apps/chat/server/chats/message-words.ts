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

/** What a search looks at: the start of a message, so that no message makes every search slow. */
export function searchWordsOf(message: Pick<ChatMessage, "parts">): string {
  return fold(wordsOf(message).slice(0, LONGEST_SEARCHED)).slice(0, LONGEST_SEARCHED).toWellFormed();
}

const LONGEST_SEARCHED = 20_000;

/** A chat's title: the start of its first message, in one line. */
export function titleFrom(message: Pick<ChatMessage, "parts">): string {
  const line = wordsOf(message).replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST) return line || NEW_CHAT;
  const cut = line.slice(0, LONGEST);
  const end = cut.lastIndexOf(" ");
  return `${(end > LONGEST / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

const LONGEST = 60;
