import { createHash } from "node:crypto";
import { lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../node/copy/remove-tree.ts";
import { hasEnded, ownProcess } from "../node/files/process-owner.ts";
import { cleanFolder } from "./process/clean-folder.ts";

/** What is known of a folder in which a script with secrets runs. */
interface RunMarker {
  readonly owner: string;
  /** When the run has certainly ended. */
  readonly until: number;
  /** The files before the run. */
  readonly files: readonly string[];
}

/** How long replacing secrets may take after a run. */
const GRACE = 60_000;

/** Marks a folder until its secrets are replaced. The marker is beside it, where no script writes. */
export function markRun(folder: string, { files, time }: { files: Iterable<string>; time: number }): void {
  const marker: RunMarker = { owner: ownProcess(), until: Date.now() + time + GRACE, files: [...files] };
  const json = JSON.stringify(marker);
  // A process that is killed meanwhile leaves no half of it.
  const temporary = temporaryOf(folder);
  removeTree(temporary);
  writeFileSync(temporary, sealed(json), { mode: 0o600, flag: "wx" });
  renameSync(temporary, markerOf(folder));
}

export function unmarkRun(folder: string): void {
  for (const path of [markerOf(folder), temporaryOf(folder)]) removeTree(path);
}

/**
 * Removes what a run wrote whose process was killed: it may contain secrets that nobody knows any more. If the marker is
 * damaged, that is everything that has changed since the marker was written, unless the run is one of this process.
 */
export async function removeKilledRun(folder: string, maxBytes: number, isOwnRun: boolean): Promise<void> {
  const marker = readMarker(folder);
  if (marker === undefined || (marker === DAMAGED ? isOwnRun : !isOver(marker))) return;
  const { mtimeMs: start } = lstatSync(markerOf(folder));
  const isNew = marker === DAMAGED ? changedSince(start) : writtenSince(start, marker.files);
  for (const path of (await cleanFolder(folder, maxBytes)).sizes.keys()) {
    const file = join(folder, path);
    if (isNew(path, lstatSync(file))) removeTree(file);
  }
  // Copies that were about to replace the folder.
  for (const one of [`${folder}.next`, `${folder}.old`]) removeTree(one);
  unmarkRun(folder);
}

type FileTest = (path: string, times: { readonly mtimeMs: number; readonly ctimeMs: number }) => boolean;

function writtenSince(start: number, files: readonly string[]): FileTest {
  const before = new Set(files);
  return (path, { mtimeMs }) => !before.has(path) || mtimeMs > start;
}

/** By a time that a script cannot set. */
function changedSince(start: number): FileTest {
  return (_path, { ctimeMs }) => ctimeMs >= start;
}

function markerOf(folder: string): string {
  return `${folder}.run`;
}

function temporaryOf(folder: string): string {
  return `${folder}.run.new`;
}

const DAMAGED = "damaged";

function readMarker(folder: string): RunMarker | typeof DAMAGED | undefined {
  try {
    const text = readFileSync(markerOf(folder), "utf8");
    const json = text.slice(text.indexOf("\n") + 1);
    return text === sealed(json) ? (JSON.parse(json) as RunMarker) : DAMAGED;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : DAMAGED;
  }
}

/** With a checksum: after another byte, the list of files would be another one. */
function sealed(json: string): string {
  return `${createHash("sha256").update(json).digest("hex")}\n${json}`;
}

/** A process in another container cannot be asked. */
function isOver({ owner, until }: RunMarker): boolean {
  return owner !== ownProcess() && (hasEnded(owner) || Date.now() > until);
}
