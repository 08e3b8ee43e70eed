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

/**
 * Creates a chat's title from the start of its first message, on one line. Names of skills are left out, unless the
 * message has nothing else: `/data-summary` with a file is "Data summary: sales.csv".
 */
export function titleFrom(message: Pick<ChatMessage, "parts">, otherwise = NEW_CHAT): string {
  const line = wordsOf(message).replace(/\s+/g, " ").trim();
  const [names = ""] = /^(?:\/[\w-]+(?: |$))*/.exec(line) ?? [];
  const words = shorten(line.slice(names.length));
  if (words !== "") return capitalise(words);
  return [skillWords(names), fileNameOf(message)].filter((part) => !!part).join(": ") || otherwise;
}

const LONGEST = 60;

/** Without the colon that waits for more. */
function shorten(words: string): string {
  if (words.length <= LONGEST) return words.replace(/(?<![ :])[ :]+$/, "");
  const cut = words.slice(0, LONGEST);
  const end = cut.lastIndexOf(" ");
  return `${(end > LONGEST / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Leaves alone what is no plain word: `sales.csv`, `iPhone`. */
function capitalise(words: string): string {
  return words.replace(/^\p{Ll}[\p{Ll}'’-]*(?=[,;:.!?]*(?: |$))/u, (word) => {
    const [first = "", ...rest] = word;
    return first.toUpperCase() + rest.join("");
  });
}

/** "/data-summary /pdf" becomes "Data summary, pdf". */
function skillWords(names: string): string {
  const words = names.trim().replaceAll(" /", ", ").replace("/", "").replace(/[-_]+/g, " ").trim();
  return shorten(words.slice(0, 1).toUpperCase() + words.slice(1));
}

function fileNameOf({ parts }: Pick<ChatMessage, "parts">): string | undefined {
  return parts.find((part) => part.type === "data-attachment")?.data.name.slice(0, LONGEST);
}
