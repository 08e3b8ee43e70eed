import { lazyRegExp } from "../base/lazy-regexp.ts";
import { stripHiddenText } from "./hidden-text.ts";
import { normalise } from "./normalise.ts";

/**
 * What a person would see of a text, on one line: hidden text and whatever no document may hold are gone, each run of
 * white space is one space.
 */
export function visibleText(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  let visible = text.replace(WHITE_SPACE, " ").replace(NOT_CHARACTERS(), "");
  // Composing letters changes the neighbours that hidden text is judged by, and stripping makes letters compose.
  for (let previous: string | undefined; visible !== previous; ) {
    previous = visible;
    visible = normalise(stripHiddenText(visible), "NFC");
  }
  return visible.replace(WHITE_SPACE, " ").trim();
}

/** The text as the content of an XML element. Quotes stay as they are: they mean nothing there, and cost tokens escaped. */
export function escapeXml(text: string): string {
  return XML_SPECIAL.test(text) ? text.replace(XML_SPECIALS, (character) => XML_ENTITIES[character] ?? "") : text;
}

/** The text as words inside a line of Markdown: nothing in it starts emphasis, code, a link, HTML or an entity. */
export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_SPECIALS(), "\\$&");
}

/** A text inside the wrapper of a skill must not be able to end it, and one outside not to look like one. */
export function escapeSkillTags(text: string): string {
  return text.replace(/<(\/?skill_(?:content|notice))/gi, "&lt;$1");
}

/** Whatever is not printable ASCII, and spaces that would not survive. */
const NEEDS_WORK = /[^ -~]|^ | $| {2}/;

/** Not `\s`: that has U+FEFF, which is hidden text, and lacks U+0085. */
const WHITE_SPACE = /[\t-\r \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/g;

/** XML 1.0 forbids these; the control characters that it forbids too are hidden text. */
const NOT_CHARACTERS = lazyRegExp(String.raw`[\p{Surrogate}\uFFFE\uFFFF]`, "gu");

const XML_SPECIAL = /[&<>]/;
const XML_SPECIALS = /[&<>]/g;
const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

/** Underscores inside a word mean nothing in Markdown, and models copy names as they are shown. */
const MARKDOWN_SPECIALS = lazyRegExp(String.raw`[\\\x60*[\]<>&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])`, "gu");
