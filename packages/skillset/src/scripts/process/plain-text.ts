/**
 * Removes what controls a terminal from text that arrives in parts: escape sequences, also if they are cut between two
 * parts, and control characters except line feed and tab.
 */
export class PlainText {
  #state: State = "text";

  push(text: string): string {
    if (this.#state === "text" && !CONTROL.test(text)) return text;
    let plain = "";
    for (const character of text) {
      const before = this.#state;
      this.#state = next(before, character);
      if (isShown(before, this.#state, character)) plain += character;
    }
    return plain;
  }
}

/** `escape` is after ESC, `control` in a CSI sequence, and `string` in an OSC, DCS, SOS, PM or APC sequence. */
type State = "text" | "escape" | "control" | "string";

const CONTROL = /(?![\t\n])\p{Cc}/u;

function next(state: State, character: string): State {
  // A line feed ends every sequence. Otherwise one unfinished sequence, as in binary output, would hide the rest.
  if (character === "\n" || character === "\x18" || character === "\x1a") return "text";
  if (character === "\x1b") return "escape";
  if (character === "\x9b") return "control";
  if (/[\x90\x98\x9d-\x9f]/.test(character)) return "string";
  if (state === "escape") return afterEscape(character);
  if (state === "control") return /[\x40-\x7e]/.test(character) ? "text" : isParameter(character);
  if (state === "string") return character === "\x07" || character === "\x9c" ? "text" : "string";
  return "text";
}

function afterEscape(character: string): State {
  if (character === "[") return "control";
  if (/[PX\]^_]/.test(character)) return "string";
  // Intermediate characters, as in `ESC ( B`.
  return /[\x20-\x2f]/.test(character) ? "escape" : "text";
}

function isParameter(character: string): State {
  return character <= "\x3f" ? "control" : "text";
}

function isShown(before: State, after: State, character: string): boolean {
  if (character === "\n") return true;
  if (after !== "text") return false;
  if (before === "text") return !CONTROL.test(character);
  // Not part of any sequence: a character beyond ASCII ends it.
  return before !== "string" && character > "\x9f";
}
