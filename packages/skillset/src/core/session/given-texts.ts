/** A text that a conversation received for a skill. */
export interface GivenText {
  readonly digest: string;
  /** The arguments that it was filled with. */
  readonly words: string | undefined;
  readonly text: string;
}

/** The exact texts that a conversation received for each skill, so that look-alikes are not mistaken for them. */
export class GivenTexts {
  readonly #texts = new Map<string, readonly GivenText[]>();

  /** Returns a skill's texts, newest first. */
  of(name: string): readonly string[] {
    return (this.#texts.get(name) ?? []).map(({ text }) => text);
  }

  /** Returns the text for these instructions and arguments, even after the skill has changed. */
  find(name: string, digest: string, words: string | undefined): string | undefined {
    return this.#texts.get(name)?.find((one) => one.digest === digest && one.words === words)?.text;
  }

  add(name: string, given: GivenText): void {
    const others = (this.#texts.get(name) ?? []).filter(({ text }) => text !== given.text);
    let size = 0;
    const kept = [given, ...others].filter(({ text }, index) => {
      size += text.length;
      return index < FEWEST || size <= MOST_CHARACTERS;
    });
    this.#texts.set(name, kept);
  }
}

/** How many texts of each skill are kept regardless of size, and how many characters of further ones. */
const FEWEST = 4;
const MOST_CHARACTERS = 1_000_000;
