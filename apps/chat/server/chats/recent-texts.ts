import type { ChatMessage } from "../../shared/api.ts";
import { skillOutputOf } from "./skill-outputs.ts";

/**
 * What operations on skills gave, by the call, for as long as there is room. The database has no text of any skill, and
 * a request must repeat what earlier ones had, also when the skill has changed since.
 */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #size = 0;

  /** `most` is the number of characters that are kept. */
  constructor(most = 16 * 1024 * 1024) {
    this.#most = most;
  }

  get(toolCallId: string): string | undefined {
    return this.#texts.get(toolCallId);
  }

  /** Takes what the message holds, as it was given to a model. */
  remember(message: ChatMessage): void {
    for (const part of message.parts) {
      const output = skillOutputOf(part);
      if (output === undefined || output.text === "" || !("toolCallId" in part)) continue;
      this.#drop(part.toolCallId);
      this.#texts.set(part.toolCallId, output.text);
      this.#size += output.text.length;
    }
    for (const id of this.#texts.keys()) {
      if (this.#size <= this.#most) return;
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    this.#size -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
  }
}
