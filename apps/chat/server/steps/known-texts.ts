import type { ChatMessage } from "../../shared/api.ts";
import { digestOf } from "../chats/skill-outputs.ts";

/** Texts by their digest. */
export class KnownTexts {
  readonly #texts = new Map<string, string>();

  get(digest: string): string | undefined {
    return this.#texts.get(digest);
  }

  has(digest: string): boolean {
    return this.#texts.has(digest);
  }

  add(text: string): void {
    this.#texts.set(digestOf(text), text);
  }

  /** Adds every text in these messages, and what requests contain of a message that starts with names of skills. */
  addMessages(messages: readonly ChatMessage[]): void {
    for (const { role, parts } of messages) {
      this.#addAll(parts);
      if (role !== "user") continue;
      for (const part of parts) if (part.type === "text") for (const words of withoutNames(part.text)) this.add(words);
    }
  }

  #addAll(value: unknown): void {
    if (typeof value === "string") this.add(value);
    else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) this.#addAll(one);
  }
}

/** What follows the names of skills at the start of a message: after one name, after two, and so on. */
export function withoutNames(text: string): readonly string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.startsWith("/") && found.length < MOST_NAMES) {
    rest = rest.replace(/^\S*\s*/, "");
    found.push(rest.trimEnd());
  }
  return found;
}

/** The library reads no more names. */
const MOST_NAMES = 5;
