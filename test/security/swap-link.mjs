// Swaps a path, as fast as it can, between its own content and something else.
// node swap-link.mjs KIND PATH REAL TARGET SCRATCH SECONDS: REAL is a file to link back, or the temporary place of the
// folder; SCRATCH is an unused name on the same disk.
// KIND: file or folder swaps in a symbolic link to TARGET; other-file or other-folder swaps in TARGET itself.
import { linkSync, lstatSync, renameSync, symlinkSync } from "node:fs";

const [kind, path, real, target, scratch, seconds] = process.argv.slice(2);
const end = Date.now() + Number(seconds) * 1_000;

/** Renames over a file in one step, so that the path always exists. */
function swapFile() {
  if (kind === "file") symlinkSync(target, scratch);
  else linkSync(target, scratch);
  renameSync(scratch, path);
  linkSync(real, scratch);
  renameSync(scratch, path);
}

/** A link cannot be renamed over a folder, so the path is missing for a moment; each form stays a little longer. */
function swapFolder() {
  renameSync(path, real);
  renameSync(other, path);
  linger();
  renameSync(path, other);
  renameSync(real, path);
  linger();
}

function linger() {
  for (let look = 0; look < 20; look++) lstatSync(path);
}

if (kind === "folder") symlinkSync(target, scratch);
const other = kind === "folder" ? scratch : target;
const swap = kind.endsWith("folder") ? swapFolder : swapFile;
swap();
console.log("swapping");
while (Date.now() < end) swap();
