/** The messages to the agent, one per turn, until `end` is called. */
export class UserMessages implements AsyncIterable<unknown> {
  readonly #waiting: string[];
  #isOver = false;
  #wake = Promise.withResolvers<void>();

  constructor(first: string) {
    this.#waiting = [first];
  }

  say(text: string): void {
    this.#waiting.push(text);
    this.#wake.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      const text = this.#waiting.shift();
      if (text !== undefined)
        yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" };
      else if (this.#isOver) return;
      else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    }
  }
}
