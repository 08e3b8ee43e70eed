// Texts from skills, files and tools are untrusted: they reach the page as plain text, never as Markdown or HTML.

/** Untrusted text as one line of prose: markup is removed, and the rest is escaped. */
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

/** Untrusted text as one line of inline code, unchanged. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const ticks = "`".repeat(longestRun(line) + 1);
  const space = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** The start of an untrusted text, unchanged, as a code block. */
export function excerpt(text: string, { lines = 12, characters = 900 } = {}): string {
  if (text.trim() === "") return "(empty)";
  const all = text.replace(/\r\n?/g, "\n").trim().split("\n");
  const shown = cut(all.slice(0, lines).join("\n").trimEnd(), characters);
  const left = all.length - shown.split("\n").length;
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  const note = left > 0 ? `\n\n(${left} more ${left === 1 ? "line" : "lines"})` : "";
  return `${fence}text\n${shown}\n${fence}${note}`;
}

/** The steps in instructions: numbered headings, or a numbered list, or headings. */
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

/** The lines, with code blocks replaced by empty lines. */
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

/** The lines, with wrapped list items joined into one line. */
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

/** Escapes a list or heading marker at the start of a line: the dot of a number, or the sign itself. */
function escapeStart(start: string): string {
  return /^\d/.test(start) ? `${start}\\` : `\\${start}`;
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = text.slice(0, longest - 1);
  // Do not cut a surrogate pair in half.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
