import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "./read-recipe.ts";

/** Writes a step of a recipe into a copy of the repository. Throws if the file is not as the recipe expects. */
export function applyStep(copy: string, { file, text, change }: Step): void {
  const path = join(copy, file);
  if (change === undefined) {
    if (existsSync(path)) throw new Error(`${file} exists already.`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const { kind, anchor } = change;
  const source = readFileSync(path, "utf8");
  if (source.split(anchor).length !== 2) throw new Error(`'${anchor}' must be once in ${file}.`);
  const start = source.indexOf(anchor);
  const end = start + anchor.length;
  const at = {
    Before: () => splice(source, lineStart(source, start), 0, text),
    After: () => splice(source, lineEnd(source, end), 0, text),
    Replace: () => splice(source, start, anchor.length, text.trimEnd()),
  };
  writeFileSync(path, at[kind]());
}

function splice(source: string, at: number, length: number, text: string): string {
  return source.slice(0, at) + text + source.slice(at + length);
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf("\n", at) + 1;
}

function lineEnd(source: string, at: number): number {
  return source.indexOf("\n", at) + 1;
}
