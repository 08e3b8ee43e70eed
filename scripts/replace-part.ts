import { readFileSync, writeFileSync } from "node:fs";

/** Replaces the text between two marker comments of a page: `<!-- name: … -->` and `<!-- /name -->`. */
export function replacePart(page: string, name: string, text: string): void {
  const { before, after } = splitAt(page, name);
  writeFileSync(page, before + text + after);
}

/** Returns the text between the two marker comments. */
export function readPart(page: string, name: string): string {
  return splitAt(page, name).part;
}

function splitAt(
  page: string,
  name: string,
): { readonly before: string; readonly part: string; readonly after: string } {
  const old = readFileSync(page, "utf8");
  const [start] = new RegExp(`<!-- ${name}: .* -->\\n`).exec(old) ?? [];
  const end = old.indexOf(`\n<!-- /${name} -->`);
  if (start === undefined || end === -1) throw new Error(`${page} has no markers for '${name}'.`);
  const from = old.indexOf(start) + start.length;
  return { before: old.slice(0, from), part: old.slice(from, end), after: old.slice(end) };
}
