import fc from "fast-check";
import { expect, test } from "vitest";
import { withCpuTime } from "../../../../../test/cpu-time.ts";
import { Redactor } from "./redactor.ts";
import { secretForms } from "./secret-forms.ts";

/** Few characters, so that patterns overlap, repeat and contain each other. */
const unit = fc.constantFrom("a", "a", "A", "b", "1", "é", "-", "-", " ", "\n");
const word = (least: number, most: number) =>
  fc.array(unit, { minLength: least, maxLength: most }).map((all) => all.join(""));
const repeated = fc.tuple(word(1, 3), fc.integer({ min: 3, max: 12 })).map(([part, times]) => part.repeat(times));
const secret = fc.oneof(
  word(6, 14),
  repeated,
  fc.array(word(18, 26), { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
  fc.array(fc.oneof(word(20, 24), repeated), { maxLength: 3 }).map((texts) => JSON.stringify({ texts })),
);

/** Whole forms of secrets, their starts and ends, and other characters, in parts. */
const cases = fc.array(secret, { minLength: 1, maxLength: 3 }).chain((values) => {
  const form = fc.constantFrom(...values.flatMap(secretForms));
  const cut = fc.tuple(form, fc.nat(40), fc.nat(40)).map(([text, from, length]) => text.slice(from, from + length));
  const wide = fc.integer({ min: 30, max: 35 }).map((width) => " ".repeat(width));
  const piece = fc.oneof(form, form, cut, word(0, 6), wide, fc.constant("\n"));
  const pieces = fc.array(piece, { maxLength: 12 });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
  return fc.tuple(fc.constant(values), pieces, fc.constantFrom("whole", "pieces", "sizes"), sizes);
});

function cutInto(text: string, sizes: readonly number[]): readonly string[] {
  const parts: string[] = [];
  for (let at = 0, index = 0; at < text.length; at += sizes[index++ % sizes.length] as number)
    parts.push(text.slice(at, at + (sizes[index % sizes.length] as number)));
  return parts;
}

test("one pass over a text returns the same as a search for each pattern, after every part", () => {
  fc.assert(
    fc.property(cases, ([values, pieces, how, sizes]) => {
      const secrets = values.map((value, index) => [`S${index % 2}`, value] as const);
      const stream = new Redactor(secrets).stream();
      const reference = new Reference(secrets);
      const parts = { whole: [pieces.join("")], pieces, sizes: cutInto(pieces.join(""), sizes) }[how];
      for (const part of parts) {
        expect(stream.push(part)).toBe(reference.push(part));
        expect(stream.hasFound).toBe(reference.hasFound);
      }
      expect(stream.end()).toBe(reference.end());
    }),
    { numRuns: 2_000 },
  );
});

test("parts that are added and shown at the end are redacted like the whole text", () => {
  fc.assert(
    fc.property(cases, ([values, pieces]) => {
      const redactor = new Redactor(values.map((value) => ["S", value]));
      const stream = redactor.stream();
      for (const piece of pieces) stream.add(piece);
      expect(stream.push("") + stream.end()).toBe(redactor.text(pieces.join("")));
    }),
    { numRuns: 500 },
  );
});

test("the time hardly depends on the number of forms, and a long value needs little memory", () => {
  const lines = Array.from({ length: 240 }, (_, index) => `${index * 7919}`.padEnd(64, `${index}qwertzuiop`));
  const value = JSON.stringify({ key: lines.join("\n") });
  const before = process.memoryUsage().arrayBuffers;
  const redactor = new Redactor([["KEY", value]]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
  const text = `${"A page of 12 plain words, quite long\n".repeat(5_000)}${lines[7]}`;
  const { result, cpuTime } = withCpuTime(() => redactor.text(text));
  expect(result.endsWith("long\n[KEY]")).toBe(true);
  // A search for each of about 8,000 patterns takes many seconds.
  expect(cpuTime).toBeLessThan(2_000);
});

interface Pattern {
  readonly name: string;
  readonly isLoose: boolean;
  readonly units: string;
  /** How long the longest start of the pattern is that also ends at each position. */
  readonly falls: readonly number[];
  /** How much of it the text matches. */
  matched: number;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Searches for each pattern on its own (Knuth, Morris and Pratt): slow and simple. */
class Reference {
  readonly #patterns: readonly Pattern[];
  #text = "";
  #counted: number[] = [];
  #gap = 0;
  #found: Found[] = [];
  hasFound = false;

  constructor(secrets: readonly (readonly [name: string, value: string])[]) {
    const patterns = new Map<string, Pattern>();
    const add = (name: string, units: string, isLoose: boolean) =>
      patterns.set(`${isLoose} ${units}`, { name, isLoose, units, falls: fallsOf(units), matched: 0 });
    for (const [name, value] of secrets)
      for (const form of value.length < 6 ? [] : secretForms(value)) {
        const folded = form.split("").map(fold);
        const loose = folded.join("");
        if (loose.length >= 8) add(name, loose, true);
        const isBare = loose.length >= 8 && folded[0] !== "" && folded.at(-1) !== "";
        if (!isBare && (loose.length >= 8 || form.length >= 6)) add(name, form, false);
      }
    this.#patterns = [...patterns.values()];
  }

  push(part: string): string {
    const from = this.#text.length;
    this.#text += part;
    for (let index = from; index < this.#text.length; index++) this.#scan(index);
    const least = this.#text.endsWith("\n") ? 4 : 1;
    return this.#release(Math.min(...this.#starts(() => least).map(({ start }) => start), this.#text.length));
  }

  end(): string {
    const cut = ({ units, isLoose }: Pattern): number => {
      const half = Math.ceil(units.length / 2);
      return this.#gap === 0 || !isLoose ? Math.min(6, half) : half;
    };
    this.#found.push(...this.#starts(cut));
    return this.#release(this.#text.length);
  }

  #scan(index: number): void {
    const one = this.#text[index] as string;
    const folded = fold(one);
    this.#gap = folded === "" ? this.#gap + 1 : 0;
    if (folded !== "") this.#counted.push(index);
    for (const pattern of this.#patterns) {
      if (pattern.isLoose && folded === "") {
        if (this.#gap > 32) pattern.matched = 0;
        continue;
      }
      pattern.matched = advance(pattern, pattern.matched, pattern.isLoose ? folded : one);
      if (pattern.matched < pattern.units.length) continue;
      this.#found.push({ start: this.#startOf(pattern, index + 1), end: index + 1, name: pattern.name });
      pattern.matched = 0;
      this.hasFound = true;
    }
  }

  #startOf({ isLoose, matched }: Pattern, end: number): number {
    return Math.max(0, isLoose ? (this.#counted[this.#counted.length - matched] ?? 0) : end - matched);
  }

  #starts(least: (pattern: Pattern) => number): Found[] {
    const end = this.#text.length;
    return this.#patterns
      .filter((pattern) => pattern.matched >= least(pattern))
      .map((pattern) => ({ start: this.#startOf(pattern, end), end, name: pattern.name }));
  }

  #release(until: number): string {
    let shown = "";
    let at = 0;
    this.#found.sort((a, b) => a.start - b.start || b.end - a.end);
    for (const { start, end, name } of this.#found) {
      if (start >= until) break;
      if (end <= at) continue;
      if (start >= at) shown += `${this.#text.slice(at, start)}[${name}]`;
      at = end;
    }
    const rest = Math.max(at, until);
    shown += this.#text.slice(at, rest);
    this.#text = this.#text.slice(rest);
    this.#counted = this.#counted.filter((position) => position >= rest).map((position) => position - rest);
    this.#found = this.#found
      .filter(({ end }) => end > rest)
      .map(({ start, end, name }) => ({ start: Math.max(0, start - rest), end: end - rest, name }));
    return shown;
  }
}

function fallsOf(units: string): readonly number[] {
  const falls = [0];
  for (let index = 1; index < units.length; index++)
    falls.push(advance({ units, falls }, falls[index - 1] as number, units[index] as string));
  return falls;
}

function advance({ units, falls }: Pick<Pattern, "units" | "falls">, matched: number, one: string): number {
  let length = matched;
  while (length > 0 && units[length] !== one) length = falls[length - 1] as number;
  return units[length] === one ? length + 1 : length;
}

function fold(one: string): string {
  return /[a-z0-9]/i.test(one) || one > "\x7f" ? one.replace(/[A-Z]/, (letter) => letter.toLowerCase()) : "";
}
