/**
 * Whether a text can be shown as Markdown without holding the page up. Its parser takes time that grows with the square
 * of what it has to remember: marks of one paragraph, and lines. Quotes and lists inside each other overflow its stack.
 */
export function isParsable(text: string): boolean {
  if (text.length > LONGEST) return false;
  let [lines, cost, marks] = [0, 0, 0];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (++lines > MOST_LINES || depthOf(line) > DEEPEST) return false;
    if (line.trim() === "") marks = 0;
    const more = line.match(MARKS)?.length ?? 0;
    // The square of a paragraph's marks, line by line.
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

/** What emphasis, code, links, addresses, cells and HTML begin or end with. */
const MARKS = /[*_~`[\]<|@]/g;

/** How many quotes and lists a line opens, or continues by its indent. */
function depthOf(line: string): number {
  const start = /^(?:[\s>*+-]|\d{1,9}[.)]\s)*/.exec(line)?.[0] ?? "";
  const opened = start.match(/>|[*+-](?=\s)|\d[.)]/g)?.length ?? 0;
  const [indent = ""] = /^\s*/.exec(line) ?? [];
  return opened + (opened > 0 ? indent.length / 4 : 0);
}
