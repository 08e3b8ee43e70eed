import { Automaton } from "./automaton.ts";
import { RedactedStream, type SecretSearch } from "./redacted-stream.ts";
import { type SecretPattern, secretPatterns } from "./secret-patterns.ts";

type Secret = readonly [name: string, value: string];

/** Replaces secrets in texts with their names, such as `[OCR_TOKEN]`, also if they are encoded or wrapped. */
export class Redactor {
  #secrets: readonly Secret[];
  #exact: SecretSearch;
  #loose: SecretSearch;
  /** The secrets whose starts are hidden at the end of a text, by position. */
  #mayBeCut: (position: number) => boolean = () => true;

  constructor(secrets: Iterable<Secret>) {
    this.#secrets = [...secrets];
    const patterns = secretPatterns(this.#secrets).map((pattern, order) => ({ ...pattern, order }));
    this.#exact = toSearch(patterns.filter(({ isLoose }) => !isLoose));
    this.#loose = toSearch(patterns.filter(({ isLoose }) => isLoose));
  }

  /**
   * Returns a redactor for what a run with these variables writes. Of other secrets, it replaces only whole ones:
   * otherwise a script could guess the secret of another skill letter by letter, because each right guess is replaced.
   */
  forRun(env: Readonly<Record<string, string>>): Redactor {
    const redactor = new Redactor([]);
    redactor.#secrets = this.#secrets;
    redactor.#exact = this.#exact;
    redactor.#loose = this.#loose;
    const isOwn = this.#secrets.map(([name, value]) => Object.hasOwn(env, name) && env[name] === value);
    redactor.#mayBeCut = (position) => isOwn[position] === true;
    return redactor;
  }

  /** Whether there is nothing to hide. */
  get isEmpty(): boolean {
    return this.#exact.automaton.isEmpty && this.#loose.automaton.isEmpty;
  }

  text(text: string): string {
    if (this.isEmpty || text === "") return text;
    const stream = this.stream();
    return stream.push(text) + stream.end();
  }

  /** Whether a text contains a whole secret. */
  finds(text: string): boolean {
    const stream = this.stream();
    stream.add(text);
    return stream.hasFound;
  }

  /** Redacts all texts, keys and numbers in a value of JSON. */
  value(value: unknown): unknown {
    if (this.isEmpty) return value;
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.finds(String(value)) ? this.text(String(value)) : value;
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]));
  }

  /** Redacts a text that arrives in parts. */
  stream(): RedactedStream {
    return new RedactedStream(this.#exact, this.#loose, this.#mayBeCut);
  }
}

function toSearch(patterns: readonly (SecretPattern & { readonly order: number })[]): SecretSearch {
  const automaton = new Automaton(patterns.map(({ text }) => text));
  // Without the texts, which would take as much memory again.
  return { automaton, patterns: patterns.map(({ name, order, secrets }) => ({ name, order, secrets })) };
}
