/** The text that a conversation was given for a skill. */
export interface GivenText {
  readonly digest: string;
  /** What `$ARGUMENTS` was filled with. */
  readonly words: string | undefined;
  readonly text: string;
}

/** What a conversation was given of each skill, word for word: so it is recognised, and nothing that looks like it. */
export class GivenTexts {
  readonly #texts = new Map<string, readonly GivenText[]>();

  /** The newest first. */
  of(name: string): readonly string[] {
    return (this.#texts.get(name) ?? []).map(({ text }) => text);
  }

  /** The text that was given for these instructions and words, also after the skill has changed. */
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

/** How many texts of each skill are kept whatever their size, and how many characters of more. */
const FEWEST = 4;
const MOST_CHARACTERS = 1_000_000;
