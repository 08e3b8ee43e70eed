import { type Dirent, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { LIMITS } from "../core/limits.ts";

/** Whether a path is a pattern rather than a place. */
export function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

/** The folders and SKILL.md files that a pattern matches, sorted; the walk is bounded. */
export async function expandGlob(pattern: string, cwd: string): Promise<readonly string[]> {
  // Loaded here: few callers use patterns, and every caller would pay for the import.
  const { default: picomatch } = await import("picomatch");
  const { base, glob } = picomatch.scan(pattern);
  const start = resolve(cwd, base);
  const matches = picomatch(glob);
  const depth = glob.includes("**") ? LIMITS.hard.scanDepth : glob.split("/").length;
  const found: string[] = [];
  let opened = 0;
  let level = [start];
  for (let step = 0; step < depth && level.length > 0; step++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++opened > LIMITS.hard.scannedFolders) return found.sort();
      for (const entry of entriesOf(folder)) {
        if (entry.name === ".git" || entry.name === "node_modules") continue;
        const path = join(folder, entry.name);
        const usable = entry.isDirectory() || entry.isSymbolicLink() || entry.name === "SKILL.md";
        if (usable && matches(relative(start, path))) found.push(path);
        else if (entry.isDirectory()) next.push(path);
      }
    }
    level = next;
  }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
