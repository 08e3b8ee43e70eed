import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeMarkdown, escapeXml, visibleText } from "./escape.ts";
import { findHiddenText } from "./hidden-text.ts";

describe("visibleText", () => {
  test("returns plain text unchanged", () => {
    expect(visibleText("Extracts text & tables, <fast>.")).toBe("Extracts text & tables, <fast>.");
  });

  test.each([
    ["line breaks and tabs", "a\r\n\tb\n\nc", "a b c"],
    ["Unicode line and paragraph separators", "a\u2028b\u2029c\u0085d", "a b c d"],
    ["vertical tabs and form feeds", "a\vb\fc", "a b c"],
    ["no-break and ideographic spaces", "a\u00A0 b\u3000c", "a b c"],
    ["spaces at the edges", "  a  ", "a"],
    ["spaces that met when hidden text left", "a \u200B b", "a b"],
  ])("turns %s into single spaces", (_, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  test.each([
    ["hidden text", "a\u{E0041}\u202Eb\uFEFFc", "abc"],
    ["control characters", "a\u0000\u0007\u001Bb\u007F", "ab"],
    ["halves of surrogate pairs", "a\uD83Db\uDC69c", "abc"],
    ["what is not a character", "a\uFFFEb\uFFFF", "ab"],
  ])("removes %s", (_, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  test("composes letters, also across hidden text between them", () => {
    expect(visibleText("cafe\u0301 cafe\u200B\u0301")).toBe("café café");
  });

  test("keeps emoji whole", () => {
    expect(visibleText("for 👨‍👩‍👧 and ❤️")).toBe("for 👨‍👩‍👧 and ❤️");
  });

  test("of a visible text is the same text, and has nothing hidden, for any text", () => {
    const pieces = [
      ..."ae \n\u0301\u0323\uFE0F\uFE00\u200B\u200D\u00A0\uFFFF",
      "👩",
      "葛",
      "\u{E0100}",
      "\uD83D",
      "\uDC69",
      "\u212B",
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(text, (input) => {
        const visible = visibleText(input);
        expect(visibleText(visible)).toBe(visible);
        expect(visible.normalize("NFC")).toBe(visible);
        expect(findHiddenText(visible)).toBeUndefined();
        expect(visible).not.toMatch(/^\s|\s$|\s{2}|[\p{Surrogate}\p{Cc}]/u);
      }),
      { numRuns: 3_000 },
    );
  });
});

test("escapeXml escapes the characters that have a meaning between tags", () => {
  expect(escapeXml(`a & b < c > d " e ' f`)).toBe("a &amp; b &lt; c &gt; d \" e ' f");
});

describe("escapeMarkdown", () => {
  test.each([
    ["emphasis", "**bold** and _soft_", "\\*\\*bold\\*\\* and \\_soft\\_"],
    ["code", "`rm -rf`", "\\`rm -rf\\`"],
    ["links and images", "![x](http://e.example)", "!\\[x\\](http://e.example)"],
    ["HTML and entities", "<b>&lt;</b>", "\\<b\\>\\&lt;\\</b\\>"],
    ["a separate escape", "\\*", "\\\\\\*"],
  ])("escapes %s", (_, text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  test("leaves a name with underscores as a model must write it", () => {
    expect(escapeMarkdown("pdf_form_filler")).toBe("pdf_form_filler");
  });
});
