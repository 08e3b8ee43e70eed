import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileContent, memoryFiles } from "../../core/skill/memory-files.ts";

/** Writes the files of a skill without a folder. Validates paths first. Yields after each file. */
export function* writeFiles(
  folder: string,
  skill: string,
  files: Readonly<Record<string, FileContent>>,
  { readOnly }: { readonly readOnly: boolean },
): Generator<void> {
  const made = new Set<string>();
  for (const [path, bytes] of memoryFiles(skill, files).contents) {
    for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) made.add(parent);
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { flag: "wx", mode: readOnly ? 0o444 : 0o644 });
    yield;
  }
  if (readOnly) for (const parent of made) chmodSync(join(folder, parent), 0o555);
}
