import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BENIGN_TEXTS } from "../../../../../test/security/benign-texts.ts";
import { findHiddenText, stripHiddenText } from "./hidden-text.ts";

const TAGS = Array.from({ length: 128 }, (_, index) => 0xe0000 + index);
const BIDI = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const ZERO_WIDTH = [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x180e];
const CONTROLS = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)].filter((code) => ![0x09, 0x0a, 0x0d].includes(code));

describe.each([
  { kind: "tag", codePoints: TAGS, size: 128 },
  { kind: "bidi", codePoints: BIDI, size: 12 },
  { kind: "zero-width", codePoints: [...ZERO_WIDTH, ...range(0x2061, 0x2064)], size: 10 },
  { kind: "variation", codePoints: range(0xe0100, 0xe01ef), size: 240 },
  { kind: "control", codePoints: [...CONTROLS, ...range(0x206a, 0x206f), ...range(0xfff9, 0xfffb)], size: 71 },
  { kind: "filler", codePoints: [0x115f, 0x1160, 0x3164, 0xffa0], size: 4 },
])("$kind characters", ({ kind, codePoints, size }) => {
  test("in Latin text are found and stripped, each of them", () => {
    expect(codePoints).toHaveLength(size);
    for (const codePoint of codePoints) {
      const character = String.fromCodePoint(codePoint);
      const hidden = findHiddenText(`read${character}me`);
      expect(hidden, codePoint.toString(16)).toEqual({ index: 4, codePoint, kind, count: 1 });
      expect(stripHiddenText(`${character}read${character}me${character}`)).toBe("readme");
    }
  });
});

describe("ordinary text", () => {
  test("there are at least 300 different benign texts", () => {
    expect(new Set(BENIGN_TEXTS).size).toBeGreaterThanOrEqual(300);
  });

  test("in any script, with or without emoji, passes unchanged", () => {
    const changed = BENIGN_TEXTS.filter((text) => findHiddenText(text) !== undefined || stripHiddenText(text) !== text);
    expect(changed).toEqual([]);
  });

  test("keeps tabs and line breaks", () => {
    expect(findHiddenText("a\tb\nc\r\nd")).toBeUndefined();
  });
});

describe("invisible characters that a script needs", () => {
  test.each([
    ["a run of two non-joiners in Persian", "می\u200C\u200Cخواهم", "میخواهم"],
    ["a run of two separators in Khmer", "សូម\u200B\u200Bពិនិត្យ", "សូមពិនិត្យ"],
    ["a run of two joiners in an emoji", "👩\u200D\u200D💻", "👩💻"],
    ["a run of two direction marks in Hebrew", "שלום\u200F\u200E!", "שלום!"],
    ["a direction mark in Latin text", "safe\u200Fname", "safename"],
    ["a properly closed isolate in Arabic", "نص \u2067مخفي\u2069", "نص مخفي"],
    ["an override in Hebrew", "\u202Eשלום\u202C", "שלום"],
    ["a joiner between Latin letters", "pay\u200Dpal", "paypal"],
    ["a joiner after the last emoji", "done 👩\u200D", "done 👩"],
    ["a Mongolian separator in Latin", "pay\u180Epal", "paypal"],
    ["two variation selectors after an emoji", "❤\uFE0F\uFE0F", "❤\uFE0F"],
    ["a variation selector after a Latin letter", "a\uFE01b", "ab"],
    ["an ideographic selector after an emoji", "😀\u{E0101}\u{E0102}", "😀"],
    ["a second ideographic selector", "葛\u{E0100}\u{E0101}城", "葛\u{E0100}城"],
    [
      "tags after a flag that has its own",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}\u{E0041}",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ],
    ["the tags of a flag that nobody recommends", "🏴\u{E0075}\u{E0073}\u{E0063}\u{E0061}\u{E007F}", "🏴"],
    ["a flag's tags without the end", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}", "🏴"],
    ["a flag's tags after another emoji", "🚩\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🚩"],
    ["a run of soft hyphens", "read\u00AD\u00ADme", "readme"],
  ])("do not excuse %s", (_, text, visible) => {
    expect(findHiddenText(text)).toBeDefined();
    expect(stripHiddenText(text)).toBe(visible);
  });
});

test("the whole sentence written in tag characters is counted, from where it starts", () => {
  const smuggled = Array.from("ignore all", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  expect(findHiddenText(`Reads files.${smuggled} Use it.\u200B`)).toEqual({
    index: 12,
    codePoint: 0xe0069,
    kind: "tag",
    count: 11,
  });
});

test("every character that Unicode lets a renderer ignore is found when it comes twice", () => {
  const ignorable = range(0, 0x10ffff)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character));
  expect(ignorable.length).toBeGreaterThan(4000);
  expect(ignorable.filter((character) => findHiddenText(`ab${character}${character}cd`) === undefined)).toEqual([]);
});

test("what is left between two halves of a surrogate pair cannot become a hidden character", () => {
  expect(stripHiddenText("a\uDB40\u200B\uDC41b")).toBe("ab");
});

test("stripping once is enough, and finds nothing afterwards, for any text", () => {
  const pieces = [
    ..."ab 1-.،।",
    ...[
      "م",
      "ی",
      "क",
      "ष",
      "्",
      "ស",
      "ก",
      "ᠠ",
      "葛",
      "ש",
      "👩",
      "💻",
      "❤",
      "🏴",
      "🏽",
      "\u0301",
      "\uD83D",
      "\uDC69",
      "\uDB40",
      "\uDC67",
    ],
    ...[...TAGS.slice(60), ...BIDI, ...ZERO_WIDTH, 0xfe00, 0xfe0f, 0xe0100, 0x00ad, 0x034f, 0x180b, 0x115f, 0x07].map(
      (code) => String.fromCodePoint(code),
    ),
    "\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
  ];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(text, (input) => {
      const once = stripHiddenText(input);
      expect(findHiddenText(once)).toBeUndefined();
      expect(stripHiddenText(once)).toBe(once);
      expect(once === input).toBe(findHiddenText(input) === undefined);
    }),
    { numRuns: 5_000 },
  );
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
