import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "./temporary-folder.ts";

/** Makes the folder `b`, nested so deeply that no path leads to its last folder, which has the files. */
export function nestBeyondPaths(root: string, files: Readonly<Record<string, string>> = {}): void {
  // Each half is shorter than the 4,096 bytes of a path.
  const half = `${"d".repeat(200)}/`.repeat(15);
  const [inner, outer] = [join(root, "a"), join(root, "b", half)];
  mkdirSync(join(inner, half), { recursive: true });
  writeFiles(join(inner, half), files);
  mkdirSync(outer, { recursive: true });
  renameSync(inner, join(outer, "a"));
}
