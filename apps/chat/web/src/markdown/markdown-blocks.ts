export interface MarkdownBlocks {
  /** The top-level parts of the text in order. Each can be parsed alone, with the same result. */
  readonly blocks: readonly string[];
  /** The footnotes that the text refers to, in order of their numbers. */
  readonly footnotes: readonly Footnote[];
}

export interface Footnote {
  /** In lower case. */
  readonly label: string;
  readonly text: string;
}

/**
 * Splits a Markdown text where a line certainly starts something new: not indented, after a blank line, and outside of
 * code, lists and HTML. While an answer grows, only its last block changes, so the others need not be parsed again.
 */
export function splitMarkdown(text: string): MarkdownBlocks {
  const parts = splitParts(text);
  const notes = new Map(parts.flatMap(footnoteOf));
  const blocks = parts.filter(({ kind }) => kind !== "footnote");
  const links = new Map(blocks.flatMap(({ lines }) => linksIn(lines)));
  const used = new Set(blocks.flatMap(({ lines }) => lines.flatMap((line) => labelsIn(line, notes))));
  return {
    blocks: blocks.map((part) => withDefinitions(part, links, notes)),
    footnotes: [...used].map((label) => ({ label, text: notes.get(label) ?? "" })),
  };
}

interface Part {
  readonly kind: "list" | "footnote" | "other";
  readonly lines: string[];
  /** The text ends inside of code or HTML, which would swallow anything added. */
  isOpen: boolean;
}

const LIST = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+|$)/;
/** The start of fenced code: its indent and its fence. */
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const FOOTNOTE = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*/;

function splitParts(text: string): Part[] {
  const parts: Part[] = [];
  let part: Part | undefined;
  let isAfterBlank = true;
  /** Matches the line that ends the code or HTML that is open. */
  let end: RegExp | undefined;
  /** Lines of the list item that was opened last are indented at least this much. */
  let indent = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (end !== undefined && part !== undefined) {
      part.lines.push(line);
      if (end.test(line)) end = undefined;
      part.isOpen = end !== undefined;
      isAfterBlank = false;
      continue;
    }
    const isBlank = line.trim() === "";
    const item = LIST.exec(line);
    const footnote = FOOTNOTE.test(line);
    const isNew = isAfterBlank && !/^\s/.test(line) && !(item && part?.kind === "list");
    if (part === undefined || footnote || (isNew && !isBlank)) {
      if (part === undefined && isBlank) continue;
      part = { kind: footnote ? "footnote" : item ? "list" : "other", lines: [], isOpen: false };
      parts.push(part);
      indent = 0;
    }
    part.lines.push(line);
    if (item && part.kind === "list") indent = (item[1] ?? "").length + (item[2] ?? "").length + 1;
    const fence = FENCE.exec(line);
    // Indented as much as the list item, it belongs to the item and ends with it.
    const isInItem = indent > 0 && (fence?.[1] ?? "").length >= indent;
    if (fence && !isInItem) end = endOfFence(fence[2] ?? "");
    else if (part.lines.length === 1) end = endOfHtml(line);
    part.isOpen = end !== undefined;
    isAfterBlank = isBlank;
  }
  return parts;
}

/** Matches the line that ends fenced code. */
export function endOfFence(fence: string): RegExp {
  return new RegExp(`^ {0,3}${fence[0] === "~" ? "~" : "`"}{${fence.length},}[ \\t]*$`);
}

/** HTML that continues after a blank line. It is shown as text. */
function endOfHtml(line: string): RegExp | undefined {
  const end = HTML.find(([start]) => start.test(line))?.[1];
  return end?.test(line) ? undefined : end;
}

const HTML: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];

function footnoteOf({ kind, lines }: Part): [label: string, text: string][] {
  const [first = "", ...others] = lines;
  const [start = "", label = ""] = (kind === "footnote" && FOOTNOTE.exec(first)) || [];
  if (label === "") return [];
  const text = [first.slice(start.length), ...others.map((line) => line.replace(/^(?: {1,4}|\t)/, ""))].join("\n");
  return [[label.toLowerCase(), text.trimEnd()]];
}

/** Definitions such as `[label]: https://example.com`, which apply to the whole text. */
function linksIn(lines: readonly string[]): [label: string, line: string][] {
  const found: [string, string][] = [];
  for (const line of lines) {
    const label = /^ {0,3}\[([^\][^][^\][]*)\]:[ \t]*\S/.exec(line)?.[1];
    if (label === undefined) break;
    found.push([normalize(label), line.trim()]);
  }
  return found;
}

function normalize(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

function labelsIn(line: string, notes: ReadonlyMap<string, string>): string[] {
  return [...line.matchAll(/\[\^([^\][\s]+)\]/g)]
    .map(([, label = ""]) => label.toLowerCase())
    .filter((l) => notes.has(l));
}

/** Adds the definitions that a block refers to: without them, the parser shows references as text. */
function withDefinitions(
  { lines, isOpen }: Part,
  links: ReadonlyMap<string, string>,
  notes: ReadonlyMap<string, string>,
): string {
  const text = lines.join("\n");
  if (isOpen || !text.includes("[")) return isOpen ? text : text.trimEnd();
  const labels = [...text.matchAll(/\[([^\][]+)\]/g)].map(([, label = ""]) => normalize(label));
  const added = [...new Set(labels)].flatMap((label) => {
    if (label.startsWith("^")) return notes.has(label.slice(1)) ? [`[${label}]: note`] : [];
    return links.get(label) ?? [];
  });
  return [text.trimEnd(), ...added].join(added.length === 0 ? "" : "\n\n");
}
