import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces the named section of a Markdown file, or adds it at the end; other text is unchanged. */
export function writeSection(file: string, name: string, markdown: string): void {
  const [opening, closing] = [`<!-- ${name}: measured -->`, `<!-- ${name}: end -->`];
  const section = `${opening}\n\n${markdown.trim()}\n\n${closing}`;
  const text = readIfPresent(file);
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start);
  mkdirSync(dirname(file), { recursive: true });
  if (start === -1 || end === -1) writeFileSync(file, `${text.trimEnd()}\n\n${section}\n`.trimStart());
  else writeFileSync(file, text.slice(0, start) + section + text.slice(end + closing.length));
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
