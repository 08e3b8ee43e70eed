/** A part of a text that an expression matches, and whether the expression may repeat it. */
export interface Sample {
  readonly text: string;
  readonly isRepeated: boolean;
}

/** Returns parts of a text that the expression matches, mostly: it takes the first alternative, and each part once. */
export function samplesOf(source: string, flags: string): readonly Sample[] {
  const reader = new SampleReader(source, flags);
  reader.alternatives();
  return reader.samples;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", s: " ", S: "a", w: "a", W: "-", d: "1" };
const MEMBERS = ["a", " ", "1", "/", "-", "\n", "é", "\0", ":", ".", "`", "$"];

class SampleReader {
  readonly samples: Sample[] = [];
  readonly #source: string;
  readonly #flags: string;
  /** The text of each group, for backreferences. */
  readonly #groups: string[] = [];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  /** Reads to the end of the group, and returns the text of the first alternative. */
  alternatives(): string {
    const first = this.#sequence();
    const kept = this.samples.length;
    while (this.#next("|")) this.#sequence();
    this.samples.length = kept;
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) {
      const from = this.samples.length;
      const one = this.#atom();
      const isRepeated = this.#quantifier();
      // The parts of a group stay, so that each can be repeated.
      if (this.samples.length === from || isRepeated) {
        if (isRepeated) this.samples.length = from;
        this.samples.push({ text: one, isRepeated });
      }
      text += one;
    }
    return text;
  }

  #atom(): string {
    const character = this.#source[this.#at++] ?? "";
    if (character === "(") return this.#group();
    if (character === "[") return this.#class();
    if (character === "\\") return this.#escape();
    if (character === ".") return "a";
    return character === "^" || character === "$" ? "" : character;
  }

  #group(): string {
    const [start = "", kind] = /^\?(?:(<?[=!])|[:]|<\w+>)/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += start.length;
    const number = start === "?:" || kind !== undefined ? -1 : this.#groups.push("") - 1;
    const from = this.samples.length;
    const text = this.alternatives();
    this.#next(")");
    if (kind !== undefined) this.samples.length = from;
    if (number >= 0) this.#groups[number] = text;
    return kind === undefined ? text : "";
  }

  #class(): string {
    const start = this.#at - 1;
    for (let depth = 1; depth > 0 && this.#at < this.#source.length; this.#at++) {
      const character = this.#source[this.#at];
      if (character === "\\") this.#at++;
      else if (character === "]") depth--;
      else if (character === "[" && this.#flags.includes("v")) depth++;
    }
    const text = this.#source.slice(start, this.#at);
    const isMember = new RegExp(`^${text}$`, this.#flags.replace(/[gy]/g, ""));
    return [...MEMBERS, ...text].find((one) => isMember.test(one)) ?? "a";
  }

  #escape(): string {
    const [whole = "", code] = /^(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|[pP]\{[^}]*\}|k<\w+>|.)/is.exec(
      this.#source.slice(this.#at),
    ) ?? ["", undefined];
    this.#at += whole.length;
    const kind = whole[0] ?? "";
    if (/^[xu]./.test(whole)) return String.fromCodePoint(Number.parseInt(whole.replace(/^.\{?/, ""), 16));
    if (kind === "p" || kind === "P") return "é";
    if (kind === "b" || kind === "B") return "";
    if (kind === "k" || /^[1-9]$/.test(whole)) return this.#groups[(Number(whole) || 1) - 1] ?? "";
    return code ?? ESCAPES[kind] ?? kind;
  }

  #quantifier(): boolean {
    const [quantifier = ""] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += quantifier.length;
    return quantifier !== "" && !quantifier.startsWith("?");
  }

  #next(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}
