import { lazyRegExp } from "../base/lazy-regexp.ts";
import { stripHiddenText } from "./hidden-text.ts";
import { normalise } from "./normalise.ts";

/**
 * Returns the visible text on one line: without hidden text and characters that documents must not contain, and with
 * each run of white space replaced by one space.
 */
export function visibleText(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  let visible = text.replace(WHITE_SPACE, " ").replace(NOT_CHARACTERS(), "");
  // Each step can enable the other: composing changes a hidden character's neighbors, and stripping lets letters compose.
  for (let previous: string | undefined; visible !== previous; ) {
    previous = visible;
    visible = normalise(stripHiddenText(visible), "NFC");
  }
  return visible.replace(WHITE_SPACE, " ").trim();
}

/** Escapes text for the content of an XML element. Quotes are kept: they need no escape there, and escapes cost tokens. */
export function escapeXml(text: string): string {
  return XML_SPECIAL.test(text) ? text.replace(XML_SPECIALS, (character) => XML_ENTITIES[character] ?? "") : text;
}

/** Escapes text for a line of Markdown, so that nothing starts emphasis, code, a link, HTML or an entity. */
export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_SPECIALS(), "\\$&");
}

/** Escapes skill tags, so that text inside a skill's wrapper cannot close it and text outside cannot imitate it. */
export function escapeSkillTags(text: string): string {
  return text.replace(/<(\/?skill_(?:content|notice))/gi, "&lt;$1");
}

/** Anything but printable ASCII, and spaces that would be collapsed. */
const NEEDS_WORK = /[^ -~]|^ | $| {2}/;

/** Not `\s`: it includes U+FEFF, which is hidden text, and lacks U+0085. */
const WHITE_SPACE = /[\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/g;

/** XML 1.0 forbids these. It also forbids control characters, which are hidden text. */
const NOT_CHARACTERS = lazyRegExp(String.raw`[\p{Surrogate}\uFFFE\uFFFF]`, "gu");

const XML_SPECIAL = /[&<>]/;
const XML_SPECIALS = /[&<>]/g;
const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

/** Underscores inside a word need no escape in Markdown, and models copy names exactly as shown. */
const MARKDOWN_SPECIALS = lazyRegExp(String.raw`[\\\x60*[\]<>&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])`, "gu");

/** Spells a text as JSON escapes such as `\u200b`, one for each UTF-16 unit. */
export function escapeUnits(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
