import { describe, expect, test } from "vitest";
import { PlainText } from "./plain-text.ts";

const CASES: readonly (readonly [name: string, given: string, plain: string])[] = [
  ["text", "grün 🍵\tb\n", "grün 🍵\tb\n"],
  ["colours", "\x1b[1;38;5;200mred\x1b[0m\x1b[K", "red"],
  ["private CSI parameters", "\x1b[?25la\x1b[?25h\x1b[>c", "a"],
  ["C1 CSI", "a\u009b31mb", "ab"],
  ["a title, ended by BEL", "\x1b]0;title\x07a", "a"],
  ["a link, ended by ST", "\x1b]8;;https://x\x1b\\a\x1b]8;;\x1b\\", "a"],
  ["C1 OSC and ST", "\u009dtitle\u009ca", "a"],
  ["DCS, SOS, PM and APC", "\x1bPq\x1b\\a\x1bXq\x1b\\b\x1b^q\x1b\\c\x1b_q\x1b\\d", "abcd"],
  ["character sets", "\x1b(B\x1b)0a\x1b7\x1b8", "a"],
  ["a sequence that CAN cancels", "\x1b[31\x18a", "a"],
  ["a sequence inside a sequence", "\x1b[3\x1b[31ma", "a"],
  ["an unfinished sequence, up to the end of the line", "\x1b]0;title\nshown\n", "\nshown\n"],
  ["Windows line ends", "a\r\nb\r\n", "a\nb\n"],
  ["C0, DEL and C1", "a\0\x07\x08\x0b\x0c\x7f\u0085b", "ab"],
];

describe.each(CASES)("%s", (_, given, plain) => {
  test("as one part", () => {
    expect(new PlainText().push(given)).toBe(plain);
  });

  test("cut at every place", () => {
    for (let cut = 0; cut <= given.length; cut++) {
      const text = new PlainText();
      expect(text.push(given.slice(0, cut)) + text.push(given.slice(cut))).toBe(plain);
    }
  });
});
