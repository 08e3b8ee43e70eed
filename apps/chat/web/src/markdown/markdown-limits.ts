/**
 * Whether a text can be rendered as Markdown without blocking the page. The parser is quadratic in the marks of a
 * paragraph and in the number of lines, and deeply nested quotes and lists overflow its stack.
 */
export function isParsable(text: string): boolean {
  if (text.length > LONGEST) return false;
  let [lines, cost, marks] = [0, 0, 0];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (++lines > MOST_LINES || depthOf(line) > DEEPEST) return false;
    if (line.trim() === "") marks = 0;
    const more = line.match(MARKS)?.length ?? 0;
    // Sums up to the square of the paragraph's marks.
    cost += more * (2 * marks + more);
    marks += more;
    if (cost > HIGHEST_COST) return false;
  }
  return true;
}

const LONGEST = 200_000;
const MOST_LINES = 2_000;
const DEEPEST = 40;
const HIGHEST_COST = 1_500 ** 2;

/** Characters that start or end emphasis, code, links, URLs, table cells and HTML. */
const MARKS = /[*_~`[\]<|@]/g;

/** The number of quotes and lists that a line opens, or continues by its indent. */
function depthOf(line: string): number {
  const start = /^(?:[\s>*+-]|\d{1,9}[.)]\s)*/.exec(line)?.[0] ?? "";
  const opened = start.match(/>|[*+-](?=\s)|\d[.)]/g)?.length ?? 0;
  const [indent = ""] = /^\s*/.exec(line) ?? [];
  return opened + (opened > 0 ? indent.length / 4 : 0);
}
