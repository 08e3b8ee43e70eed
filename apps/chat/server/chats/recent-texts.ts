import type { ChatMessage } from "../../shared/api.ts";
import { type ChatPart, skillOf, skillOutputOf } from "./skill-outputs.ts";

/**
 * A bounded cache of the outputs of skill operations, by chat and call. The database stores no texts of skills, but a
 * request must repeat earlier outputs exactly, even if the skill has changed since.
 */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #size = 0;

  /** `most` is the capacity in characters. */
  constructor(most = 16 * 1024 * 1024) {
    this.#most = most;
  }

  get(chatId: string, message: ChatMessage, part: ChatPart): string | undefined {
    return this.#texts.get(keyOf(chatId, message, part));
  }

  /** Caches the outputs in a message, as the model received them. */
  remember(chatId: string, message: ChatMessage): void {
    for (const part of message.parts) {
      const text = skillOutputOf(part)?.text ?? "";
      if (text === "") continue;
      const key = keyOf(chatId, message, part);
      this.#drop(key);
      this.#texts.set(key, text);
      this.#size += text.length;
    }
    for (const key of this.#texts.keys()) {
      if (this.#size <= this.#most) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}

/** Includes the message id: some providers reuse the same call ids in every answer. */
function keyOf(chatId: string, { id }: ChatMessage, part: ChatPart): string {
  const output = skillOutputOf(part);
  const path = output?.kind === "reading" ? output.data.path : undefined;
  return JSON.stringify([chatId, id, "toolCallId" in part ? part.toolCallId : "", output && skillOf(output), path]);
}
