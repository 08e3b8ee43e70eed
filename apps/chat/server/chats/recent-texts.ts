import type { ChatMessage } from "../../shared/api.ts";
import { type ChatPart, skillOutputOf } from "./skill-outputs.ts";

/**
 * What operations on skills gave, by chat and call, for as long as there is room. The database has no text of any skill,
 * and a request must repeat what earlier ones had, also when the skill has changed since.
 */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #size = 0;

  /** `most` is the number of characters that are kept. */
  constructor(most = 16 * 1024 * 1024) {
    this.#most = most;
  }

  get(chatId: string, message: ChatMessage, part: ChatPart): string | undefined {
    return this.#texts.get(keyOf(chatId, message, part));
  }

  /** Takes what the message holds, as it was given to a model. */
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

/** Providers choose the ids of calls, and some use the same ones in every answer. */
function keyOf(chatId: string, { id }: ChatMessage, part: ChatPart): string {
  const { name, path } = skillOutputOf(part)?.data ?? {};
  return JSON.stringify([chatId, id, "toolCallId" in part ? part.toolCallId : "", name, path]);
}
