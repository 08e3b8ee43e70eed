import { closeSync, constants, fchmodSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { openedPath } from "../files/contained-read.ts";

/**
 * Replaces a file's text atomically and keeps its mode: readers see either the old or the new text. The folder must be a
 * real path. Nothing outside it is written, even if a link replaces the folder or the file in the meantime.
 */
export function replaceFile(path: string, text: string): void {
  const folder = dirname(path);
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (openedPath(fd, folder) !== folder)
      throw new SkillError("resource-outside-skill", `'${folder}' has been replaced by a link in the meantime.`);
    // Paths below an open folder cannot be redirected by links in its parents.
    const place = process.platform === "linux" ? `/proc/self/fd/${fd}` : folder;
    const temporary = join(place, `.skillset-${process.pid}.tmp`);
    const file = join(place, basename(path));
    try {
      const stats = lstatSync(file);
      writeNew(temporary, text, stats.isFile() ? stats.mode : 0o644);
      // A link is replaced, not followed: its target can be anywhere.
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
    }
  } finally {
    closeSync(fd);
  }
}

function writeNew(path: string, text: string, mode: number): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeFileSync(fd, text);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}
