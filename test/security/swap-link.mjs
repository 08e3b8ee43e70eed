// Swaps a path, as fast as it can, between what belongs there and something else.
// node swap-link.mjs KIND PATH REAL TARGET SCRATCH SECONDS: REAL is a file to link back, or where the folder goes
// meanwhile; SCRATCH is a name that is free, on the same disk.
// KIND: file or folder swaps in a symbolic link to TARGET; other-file or other-folder swaps in TARGET itself.
import { linkSync, lstatSync, renameSync, symlinkSync } from "node:fs";

const [kind, path, real, target, scratch, seconds] = process.argv.slice(2);
const end = Date.now() + Number(seconds) * 1_000;

/** A rename over a file is one step: the path always exists. */
function swapFile() {
  if (kind === "file") symlinkSync(target, scratch);
  else linkSync(target, scratch);
  renameSync(scratch, path);
  linkSync(real, scratch);
  renameSync(scratch, path);
}

/** A link cannot be renamed over a folder, so the path is gone for a moment; it stays a little longer in either form. */
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
