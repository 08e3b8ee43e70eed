import { LIMITS } from "../../../core/base/limits.ts";
import type { ThinkEvent } from "../../options/think-event.ts";

/** The agent's text after its last tool call. */
export class AnswerText {
  #text = "";
  #isSuperseded = false;

  get text(): string {
    return this.#text.trim();
  }

  clear(): void {
    this.#text = "";
  }

  add(event: ThinkEvent): void {
    // Text before a tool call is replaced by the text after it, if there is any.
    if (event.type.startsWith("tool-")) this.#isSuperseded = true;
    if (event.type === "message") {
      this.#text = this.#isSuperseded ? event.text : this.#text + event.text;
      this.#isSuperseded = false;
    }
    // Bounded, because an agent may send endless output. Not trimmed on every chunk, because a slice copies the text.
    if (this.#text.length > 2 * LIMITS.agent.answerCharacters)
      this.#text = this.#text.slice(-LIMITS.agent.answerCharacters);
  }
}
