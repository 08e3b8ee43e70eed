import { readFileSync, writeFileSync } from "node:fs";

/** Replaces the text between two marker comments of a page: `<!-- name: … -->` and `<!-- /name -->`. */
export function replacePart(page: string, name: string, text: string): void {
  const old = readFileSync(page, "utf8");
  const [start] = new RegExp(`<!-- ${name}: .* -->\\n`).exec(old) ?? [];
  const after = old.indexOf(`\n<!-- /${name} -->`);
  if (start === undefined || after === -1) throw new Error(`${page} has no markers for '${name}'.`);
  writeFileSync(page, old.slice(0, old.indexOf(start) + start.length) + text + old.slice(after));
}
