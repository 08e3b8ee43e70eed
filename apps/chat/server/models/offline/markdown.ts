// Whatever skills, files and tools say is untrusted: it reaches the page as text, never as Markdown or HTML of its own.

/** One line of foreign text to be read as prose: its markup is gone, and what is left of it is escaped. */
export function prose(text: string, longest = 140): string {
  const bare = text
    .slice(0, longest * 4)
    .replace(/!?\[([^\][\n]*)\]\([^()\n]*\)/g, "$1")
    .replace(/[*`]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const parts = cut(bare, longest).split(/((?:https?:\/\/|www\.)\S+)/i);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : escapeMarkup(part))).join("");
}

/** Foreign text in one line, letter by letter. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const ticks = "`".repeat(longestRun(line) + 1);
  const space = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** The beginning of a foreign text, as it is. */
export function excerpt(text: string, { lines = 12, characters = 900 } = {}): string {
  if (text.trim() === "") return "(nothing)";
  const all = text.replace(/\r\n?/g, "\n").trim().split("\n");
  const shown = cut(all.slice(0, lines).join("\n").trimEnd(), characters);
  const left = all.length - shown.split("\n").length;
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const note = left > 0 ? `\n\n(${left} more ${left === 1 ? "line" : "lines"})` : "";
  return `${fence}text\n${shown}\n${fence}${note}`;
}

/** What instructions want to be done, as far as their form shows it: numbered headings, a numbered list, or headings. */
export function stepsOf(body: string): readonly string[] {
  const lines = joinItems(proseLines(body));
  const pick = (pattern: RegExp): string[] => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  const kinds = [
    pick(/^#{1,6} +\d{1,3}[.)] +(\S.*)$/),
    pick(/^ {0,3}\d{1,3}[.)] +(\S.*)$/),
    pick(/^#{2,6} +(\S.*)$/),
    pick(/^ {0,3}[-*+] +(\S.*)$/),
  ];
  return kinds.find((steps) => steps.length > 1) ?? kinds.find((steps) => steps.length > 0) ?? [];
}

/** The lines, with empty ones in place of blocks of code. */
function proseLines(body: string): string[] {
  let fence: string | undefined;
  return body.split(/\r?\n/).map((line) => {
    const [, marks] = /^ *(`{3,}|~{3,})/.exec(line) ?? [];
    if (marks === undefined) return fence === undefined ? line : "";
    if (fence === undefined) fence = marks;
    else if (marks.startsWith(fence)) fence = undefined;
    return "";
  });
}

/** The lines, with each item of a list in one: authors break them where their editor is full. */
function joinItems(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1) ?? "";
    const isItem = /^ *(?:[-*+]|\d{1,3}[.)]) +\S/.test(last);
    const goesOn = /\S/.test(line) && !/^ *(?:[-*+] |\d{1,3}[.)] |#|>|\|)/.test(line);
    if (isItem && goesOn) joined[joined.length - 1] = `${last} ${line.trim()}`;
    else joined.push(line);
  }
  return joined;
}

function escapeMarkup(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|]/g, "\\$&").replace(/^([-+#=]|\d{1,9}(?=[.)]))/, escapeStart);
}

/** What would start a list or a heading at the beginning of a line: the dot of a number, or the sign itself. */
function escapeStart(start: string): string {
  return /^\d/.test(start) ? `${start}\\` : `\\${start}`;
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest - 1);
  // A cut must not leave half of a character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
