/** What a conversation was given of each skill, word for word: so it is recognised, and nothing that looks like it. */
export class GivenTexts {
  readonly #texts = new Map<string, readonly string[]>();

  /** The newest first. */
  of(name: string): readonly string[] {
    return this.#texts.get(name) ?? [];
  }

  add(name: string, text: string): void {
    const others = this.of(name).filter((one) => one !== text);
    this.#texts.set(name, [text, ...others].slice(0, MOST_TEXTS));
  }
}

/** How many texts are remembered of each skill. */
const MOST_TEXTS = 8;
