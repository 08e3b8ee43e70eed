import type { Io } from "../terminal/io.ts";
import type { Paint } from "../terminal/paint.ts";

/** How wide the help is: as wide as the terminal, up to a width that is easy to read. */
export function helpWidth({ columns }: Io["stdout"]): number {
  return Math.max(Math.min(columns ?? DEFAULT_WIDTH, WIDEST), NARROWEST);
}

const DEFAULT_WIDTH = 80;
const WIDEST = 100;
const NARROWEST = 20;

/** Breaks a text into lines at spaces. A word that is longer than a line gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Paragraphs, one for each line of the text. A line that starts with spaces is kept as it is. */
export function paragraphs(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => (line.startsWith(" ") ? [line] : wrap(line, width)));
}

/** Terms and their descriptions side by side or, where there is no room, below each other. */
export function definitionList(rows: readonly (readonly [term: string, text: string])[], width: number): string[] {
  const left = Math.max(...rows.map(([term]) => term.length));
  const room = width - left - 4;
  if (room < LEAST_ROOM)
    return rows.flatMap(([term, text]) => [`  ${term}`, ...wrap(text, width - 6).map((line) => `      ${line}`)]);
  return rows.flatMap(([term, text]) =>
    wrap(text, room).map((line, index) => `  ${(index === 0 ? term : "").padEnd(left)}  ${line}`),
  );
}

/** Below this width, a second column has more line breaks than words. */
const LEAST_ROOM = 24;

export function heading(text: string, paint: Paint): string {
  return `\n${paint("bold", text)}`;
}
