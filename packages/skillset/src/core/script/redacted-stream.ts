import type { Automaton } from "./automaton.ts";
import { countedUnit, IGNORED, SHORTEST_SECRET } from "./secret-patterns.ts";

/** The patterns of one alphabet. */
export interface SecretSearch {
  readonly automaton: Automaton;
  /** The name of each pattern, its position among the patterns of both alphabets, and the positions of its secrets. */
  readonly patterns: readonly {
    readonly name: string;
    readonly order: number;
    readonly secrets: readonly number[];
  }[];
}

/** How many characters that do not count may be between two that do: a line break and an indentation. */
const WIDEST_GAP = 32;

/** How many characters at the end of a line may be the start of a secret before they are held back. */
const SHORTEST_HELD = 4;

interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Redacts a text that arrives in parts. Holds back only what may be the start of a secret. */
export class RedactedStream {
  readonly #exact: Matches;
  readonly #loose: Matches;
  readonly #mayBeCut: (secret: number) => boolean;
  /** What is held back. */
  #text = "";
  #gap = 0;
  #found: Found[] = [];
  /** Whether there was a whole secret so far. */
  hasFound = false;

  constructor(exact: SecretSearch, loose: SecretSearch, mayBeCut: (secret: number) => boolean) {
    this.#mayBeCut = mayBeCut;
    this.#exact = new Matches(exact);
    this.#loose = new Matches(loose);
  }

  /** Adds a part, and returns what can be shown. */
  push(part: string): string {
    this.add(part);
    const end = this.#text.length;
    // A line of progress must not wait for the next one because its last letter begins a secret.
    const least = this.#text.endsWith("\n") ? SHORTEST_HELD : 1;
    const exact = this.#exact.longestStart(least);
    const loose = this.#loose.longestStart(least);
    return this.#release(Math.min(end - exact, loose === 0 ? end : this.#looseStart(loose, end)));
  }

  /** Adds a part, and keeps all of it until the next `push()` or `end()`. */
  add(part: string): void {
    const from = this.#text.length;
    this.#text += part;
    for (let index = 0; index < part.length; index++) {
      const unit = part.charCodeAt(index);
      const counted = countedUnit(unit);
      const isExact = this.#exact.add(unit);
      const isLoose = counted !== IGNORED && this.#loose.add(counted);
      this.#gap = counted === IGNORED ? this.#gap + 1 : 0;
      if (this.#gap > WIDEST_GAP) this.#loose.forget();
      if (isExact || isLoose) this.#find(from + index + 1, isExact, isLoose);
    }
  }

  /** Returns the rest. A secret that a limit cut is hidden as well, if it may be one. */
  end(): string {
    const end = this.#text.length;
    const own = (matches: readonly Match[]) => matches.filter(({ secrets }) => secrets.some(this.#mayBeCut));
    const half = (whole: number): number => Math.ceil(whole / 2);
    const short = (whole: number): number => Math.min(SHORTEST_SECRET, half(whole));
    this.#keep(end, own(this.#exact.starts(short)), own(this.#loose.starts(this.#gap === 0 ? short : half)));
    return this.#release(end);
  }

  #find(end: number, isExact: boolean, isLoose: boolean): void {
    const exact = isExact ? this.#exact.takeWholes() : [];
    const loose = isLoose ? this.#loose.takeWholes() : [];
    if (exact.length + loose.length > 0) this.hasFound = true;
    this.#keep(end, exact, loose);
  }

  #keep(end: number, exact: readonly Match[], loose: readonly Match[]): void {
    const found = [
      ...exact.map((match) => ({ ...match, start: Math.max(0, end - match.length) })),
      ...loose.map((match) => ({ ...match, start: this.#looseStart(match.length, end) })),
    ];
    found.sort((a, b) => a.order - b.order);
    for (const { start, name } of found) this.#found.push({ start, end, name });
  }

  /** Where the last letters and digits before a position begin. Zero if they are partly shown as a name. */
  #looseStart(length: number, end: number): number {
    let start = end;
    for (let left = length; left > 0 && start > 0; )
      if (countedUnit(this.#text.charCodeAt(--start)) !== IGNORED) left--;
    return start;
  }

  /** Returns the text up to a position, with names instead of secrets. */
  #release(until: number): string {
    let shown = "";
    let at = 0;
    this.#found.sort((a, b) => a.start - b.start || b.end - a.end);
    for (const { start, end, name } of this.#found) {
      if (start >= until) break;
      // Another form of the same characters.
      if (end <= at) continue;
      if (start >= at) shown += `${this.#text.slice(at, start)}[${name}]`;
      at = end;
    }
    const rest = Math.max(at, until);
    shown += this.#text.slice(at, rest);
    this.#text = this.#text.slice(rest);
    this.#found = this.#found
      .filter(({ end }) => end > rest)
      .map(({ start, end, name }) => ({ start: Math.max(0, start - rest), end: end - rest, name }));
    return shown;
  }
}

/** The last characters of a text that match a pattern, or the start of one. */
interface Match {
  readonly name: string;
  readonly order: number;
  readonly secrets: readonly number[];
  readonly length: number;
}

/** What a text matches of the patterns of one alphabet. A match of a pattern begins after the one before it. */
class Matches {
  readonly #automaton: Automaton;
  readonly #patterns: SecretSearch["patterns"];
  #state = 0;
  /** How many characters there were. */
  #count = 0;
  /** How many there were when a pattern was last whole. */
  readonly #wholeAt = new Map<number, number>();

  constructor({ automaton, patterns }: SecretSearch) {
    this.#automaton = automaton;
    this.#patterns = patterns;
  }

  /** Adds a character. Returns whether the text may end with a whole pattern. */
  add(unit: number): boolean {
    this.#count++;
    this.#state = this.#automaton.next(this.#state, unit);
    return this.#automaton.isWhole(this.#state);
  }

  /** Begins anew. */
  forget(): void {
    this.#state = 0;
  }

  takeWholes(): readonly Match[] {
    const wholes: Match[] = [];
    for (const pattern of this.#automaton.wholes(this.#state)) {
      const length = this.#automaton.lengths[pattern] as number;
      if (!this.#isAfterLast(pattern, length)) continue;
      this.#wholeAt.set(pattern, this.#count);
      wholes.push(this.#toMatch(pattern, length));
    }
    return wholes;
  }

  /** How many characters of a pattern the text ends with, or zero if there are fewer than the least. */
  longestStart(least: number): number {
    for (const [pattern, length] of this.#automaton.starts(this.#state)) {
      if (length < least) return 0;
      if (this.#isAfterLast(pattern, length)) return length;
    }
    return 0;
  }

  /** The longest start of each pattern, if the text ends with at least so many characters of it. */
  starts(least: (whole: number) => number): readonly Match[] {
    const longest = new Map<number, number>();
    for (const [pattern, length] of this.#automaton.starts(this.#state))
      if (!longest.has(pattern) && this.#isAfterLast(pattern, length)) longest.set(pattern, length);
    return [...longest]
      .filter(([pattern, length]) => length >= least(this.#automaton.lengths[pattern] as number))
      .map(([pattern, length]) => this.#toMatch(pattern, length));
  }

  #isAfterLast(pattern: number, length: number): boolean {
    return this.#count - length >= (this.#wholeAt.get(pattern) ?? 0);
  }

  #toMatch(pattern: number, length: number): Match {
    const found = this.#patterns[this.#automaton.given[pattern] as number] as SecretSearch["patterns"][number];
    return { ...found, length };
  }
}
