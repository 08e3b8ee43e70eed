import { lstatSync, readFileSync, writeFileSync } from "node:fs";
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
  writeFileSync(markerOf(folder), JSON.stringify(marker), { mode: 0o600 });
}

export function unmarkRun(folder: string): void {
  removeTree(markerOf(folder));
}

/** Removes what a run wrote whose process was killed: it may contain secrets that nobody knows any more. */
export async function removeKilledRun(folder: string, maxBytes: number): Promise<void> {
  const marker = readMarker(folder);
  if (marker === undefined || !isOver(marker)) return;
  const { mtimeMs: start } = lstatSync(markerOf(folder));
  const before = new Set(marker.files);
  for (const path of (await cleanFolder(folder, maxBytes)).sizes.keys()) {
    const file = join(folder, path);
    if (!before.has(path) || lstatSync(file).mtimeMs > start) removeTree(file);
  }
  // Copies that were about to replace the folder.
  for (const one of [`${folder}.next`, `${folder}.old`]) removeTree(one);
  unmarkRun(folder);
}

function markerOf(folder: string): string {
  return `${folder}.run`;
}

function readMarker(folder: string): RunMarker | undefined {
  let text: string;
  try {
    text = readFileSync(markerOf(folder), "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as RunMarker;
  } catch {
    // It was killed while it wrote the marker, before the run.
    return undefined;
  }
}

/** A process in another container cannot be asked. */
function isOver({ owner, until }: RunMarker): boolean {
  return owner !== ownProcess() && (hasEnded(owner) || Date.now() > until);
}
