import { lazyRegExp } from "../base/lazy-regexp.ts";

/** Text that people cannot see but a model reads. */
export interface HiddenText {
  /** The offset of the first hidden character, in UTF-16 units. */
  readonly index: number;
  readonly codePoint: number;
  readonly kind: HiddenTextKind;
  /** The number of hidden characters in the whole text. */
  readonly count: number;
}

export type HiddenTextKind = "tag" | "bidi" | "zero-width" | "variation" | "control" | "filler";

/** Finds the first hidden character. Invisible characters that their script needs in this place are not hidden. */
export function findHiddenText(text: string): HiddenText | undefined {
  if (!UNUSUAL.test(text)) return undefined;
  let first: { readonly index: number; readonly codePoint: number } | undefined;
  let count = 0;
  for (const { start, end } of hiddenRanges(text)) {
    first ??= { index: start, codePoint: text.codePointAt(start) ?? 0 };
    count += Array.from(text.slice(start, end)).length;
  }
  return first && { ...first, kind: kindOf(first.codePoint), count };
}

/** Removes hidden characters. */
export function stripHiddenText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  let visible = "";
  let position = 0;
  for (const { start, end } of hiddenRanges(text)) {
    visible += text.slice(position, start);
    position = end;
  }
  return visible + text.slice(position);
}

/** Characters outside a few plain ranges. Most texts need only this test, at a tenth of the cost of the full one. */
const UNUSUAL = /[^\t\n\r -~\xA0-\xAC\xAE-\u034E\u2010-\u2027\u2030-\u205E\u2190-\u3163\u3165-\uD7FF]/;

// Lone surrogates are included: removing the text between two halves would form a character.
const INVISIBLE_RUN = lazyRegExp(
  String.raw`[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}\p{Surrogate}]+`,
  "gu",
);

/**
 * A run of invisible characters is judged by the visible characters around it, which are never removed. Stripping is
 * therefore idempotent.
 */
function* hiddenRanges(text: string): Generator<{ readonly start: number; readonly end: number }> {
  let rightToLeft: boolean | undefined;
  for (const { 0: run, index } of text.matchAll(INVISIBLE_RUN())) {
    const end = index + run.length;
    const before = characterBefore(text, index);
    const after = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 0) : "";
    const start = index + selectorLength(run, before);
    const rest = text.slice(start, end);
    if (rest === "" || isJoinerAtHome(rest, before, after)) continue;
    if (DIRECTION_MARKS.has(rest)) {
      rightToLeft ??= RIGHT_TO_LEFT_LETTER().test(text);
      if (rightToLeft) continue;
    }
    yield { start, end };
  }
}

function characterBefore(text: string, index: number): string {
  const last = text.slice(Math.max(0, index - 1), index);
  return last >= "\uDC00" && last <= "\uDFFF" ? text.slice(index - 2, index) : last;
}

/** Returns how many characters at the run's start select a variant of the visible character before it. */
function selectorLength(run: string, before: string): number {
  if (before === BLACK_FLAG) return SUBDIVISION_TAGS.find((tags) => run.startsWith(tags))?.length ?? 0;
  if (run >= "\uFE00" && run < "\uFE10") return before !== "" && !NEVER_VARIES().test(before) ? 1 : 0;
  if (MONGOLIAN_SELECTOR.test(run)) return MONGOLIAN().test(before) ? 1 : 0;
  if (IDEOGRAPHIC_SELECTOR.test(run)) return IDEOGRAPH().test(before) ? 2 : 0;
  return 0;
}

/** Whether the run is a single joiner or separator where its script uses one. */
function isJoinerAtHome(run: string, before: string, after: string): boolean {
  switch (run) {
    case "\u200D":
      return (PICTOGRAPH().test(before) && PICTOGRAPH().test(after)) || isBetweenJoiningLetters(before, after);
    case "\u200C":
      return isBetweenJoiningLetters(before, after);
    case "\u200B":
      return (
        UNSPACED().test(before + after) && LETTER_OR_PUNCTUATION().test(before) && LETTER_OR_PUNCTUATION().test(after)
      );
    case "\u180E":
      return MONGOLIAN().test(before) && MONGOLIAN().test(after);
    case "\u00AD":
    case "\u034F":
      return LETTER().test(before) && LETTER().test(after);
    default:
      return false;
  }
}

/** A joining letter may end a word with a joiner, or follow a foreign word as its ending: `PDF` + ZWNJ + plural. */
function isBetweenJoiningLetters(before: string, after: string): boolean {
  return JOINING().test(before) || (JOINING().test(after) && LETTER().test(before));
}

function kindOf(codePoint: number): HiddenTextKind {
  if (BIDI.has(codePoint)) return "bidi";
  if (ZERO_WIDTH.has(codePoint)) return "zero-width";
  if (FILLERS.has(codePoint)) return "filler";
  const character = String.fromCodePoint(codePoint);
  if (VARIATION.test(character)) return "variation";
  return codePoint >= 0xe0000 && codePoint <= 0xe0fff ? "tag" : "control";
}

const BIDI: ReadonlySet<number> = new Set([
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
]);
const ZERO_WIDTH: ReadonlySet<number> = new Set([
  0x00ad, 0x034f, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2065, 0xfeff,
]);
const FILLERS: ReadonlySet<number> = new Set([0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0]);
const VARIATION = /[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;
const MONGOLIAN_SELECTOR = /^[\u180B-\u180D\u180F]/u;
const IDEOGRAPHIC_SELECTOR = /^[\u{E0100}-\u{E01EF}]/u;

const DIRECTION_MARKS: ReadonlySet<string> = new Set(["\u061C", "\u200E", "\u200F"]);
/** The flags of England, Scotland and Wales: the only tag sequences that Unicode recommends for interchange. */
const BLACK_FLAG = "\u{1F3F4}";
const SUBDIVISION_TAGS: readonly string[] = ["gbeng", "gbsct", "gbwls"].map(
  (region) =>
    `${Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{E007F}`,
);

const RIGHT_TO_LEFT_LETTER = lazyRegExp(
  `(?=\\p{L})[${scripts("Script", "Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Adlam Hanifi_Rohingya")}]`,
);
/** Letters of these scripts have no standard variants, so a selector after one can only carry data. */
const NEVER_VARIES = lazyRegExp(`[\\s${scripts("Script", "Latin Greek Cyrillic")}]`);
const PICTOGRAPH = lazyRegExp(String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`);
const IDEOGRAPH = lazyRegExp(String.raw`\p{Ideographic}`);
const MONGOLIAN = lazyRegExp(String.raw`\p{Script_Extensions=Mongolian}`);
const LETTER = lazyRegExp(String.raw`[\p{L}\p{M}\p{N}]`);
const LETTER_OR_PUNCTUATION = lazyRegExp(String.raw`[\p{L}\p{M}\p{N}\p{P}]`);
/** Scripts without spaces, which separate words with U+200B. */
const UNSPACED = lazyRegExp(`[${scripts("Script_Extensions", "Khmer Thai Lao Myanmar")}]`);
/** Letters and marks of the scripts in which a joiner or non-joiner changes how a word is written. */
const JOINING = lazyRegExp(
  `(?=[\\p{L}\\p{M}])[${scripts(
    "Script_Extensions",
    "Arabic Syriac Mandaic Nko Adlam Mongolian Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu " +
      "Kannada Malayalam Sinhala Khmer Myanmar Tibetan Newa Meetei_Mayek Chakma Grantha Tirhuta",
  )}]`,
);

function scripts(property: string, names: string): string {
  return names
    .split(" ")
    .map((name) => `\\p{${property}=${name}}`)
    .join("");
}
