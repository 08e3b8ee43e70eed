import { closeSync, constants, fchmodSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { openedPath } from "../../node/files/contained-read.ts";

/**
 * Replaces a file's text in one step and keeps its mode: whoever reads it meanwhile sees the old text or the new one.
 * Its folder must be a real path. Only that folder is written to, also when a link is put in its place or the file's.
 */
export function replaceFile(path: string, text: string): void {
  const folder = dirname(path);
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (openedPath(fd, folder) !== folder)
      throw new SkillError("resource-outside-skill", `'${folder}' has been replaced by a link meanwhile.`);
    // Below a folder that is open, no link on the way can be swapped in.
    const place = process.platform === "linux" ? `/proc/self/fd/${fd}` : folder;
    const temporary = join(place, `.skillset-${process.pid}.tmp`);
    const file = join(place, basename(path));
    try {
      const stats = lstatSync(file);
      writeNew(temporary, text, stats.isFile() ? stats.mode : 0o644);
      // A link is replaced, not followed: it may lead anywhere by now.
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
