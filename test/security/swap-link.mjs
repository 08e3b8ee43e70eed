// Swaps a path, as fast as it can, between what belongs there and a link that leads elsewhere.
// node swap-link.mjs file|folder PATH REAL TARGET SCRATCH SECONDS: REAL is a file to link back, or where the folder
// goes meanwhile; SCRATCH is a name that is free, on the same disk.
import { linkSync, lstatSync, renameSync, symlinkSync } from "node:fs";

const [kind, path, real, target, scratch, seconds] = process.argv.slice(2);
const end = Date.now() + Number(seconds) * 1_000;

/** A rename over a file is one step: the path always exists. */
function swapFile() {
  symlinkSync(target, scratch);
  renameSync(scratch, path);
  linkSync(real, scratch);
  renameSync(scratch, path);
}

/** A link cannot be renamed over a folder, so the path is gone for a moment; it stays a little longer in either form. */
function swapFolder() {
  renameSync(path, real);
  renameSync(scratch, path);
  linger();
  renameSync(path, scratch);
  renameSync(real, path);
  linger();
}

function linger() {
  for (let look = 0; look < 20; look++) lstatSync(path);
}

if (kind === "folder") symlinkSync(target, scratch);
const swap = kind === "folder" ? swapFolder : swapFile;
swap();
console.log("swapping");
while (Date.now() < end) swap();
