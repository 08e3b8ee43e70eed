import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Replaces a file's text in one step and keeps its mode: whoever reads it meanwhile sees the old text or the new one. */
export function replaceFile(path: string, text: string): void {
  // A link stays a link.
  const file = realpathSync(path);
  const temporary = join(dirname(file), `.skillset-${process.pid}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: "wx" });
    chmodSync(temporary, statSync(file).mode);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
