import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../core/base/limits.ts";
import { PART, redactInParts } from "../core/script/redact-in-parts.ts";
import type { Redactor } from "../core/script/redactor.ts";
import type { ScriptFile, ScriptResult } from "../core/script/script.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import type { CollectedFiles } from "./output-folders.ts";
import { shownName } from "./process/clean-folder.ts";

type Kept = Pick<ScriptResult, "files" | "droppedFiles">;

/**
 * Replaces secrets in the files that a run wrote, so that neither a model nor a script of another skill reads them there.
 * Removes files in which they cannot be replaced, and files that are not checked when the signal aborts. No process may
 * use the folder meanwhile.
 */
export async function hideInFiles(
  folder: string,
  { files, droppedFiles, touched }: CollectedFiles,
  redactor: Redactor,
  { signal }: { readonly signal: AbortSignal },
): Promise<Kept> {
  // The files of the session can be removed during a run.
  if (redactor.isEmpty || !existsSync(folder)) return { files, droppedFiles };
  const kept: ScriptFile[] = [];
  const dropped = droppedFiles.map(({ path, reason }) => ({ path: redactor.text(path), reason }));
  const drop = (path: string, reason: string): void => {
    removeTree(join(folder, path));
    dropped.push({ path: shownName(redactor.text(path)), reason });
  };
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const named = new Set(names.filter((path) => redactor.finds(path)));
  for (const path of named) drop(path, "its name contains a secret");
  const changed = new Set(files.map(({ path }) => path));
  for (const { path, size } of touched) {
    if (named.has(path) || !existsSync(join(folder, path))) continue;
    const end = await hideInFile(join(folder, path), size, redactor, signal);
    if (typeof end === "string") drop(path, end);
    else if (changed.has(path) || end !== size) kept.push({ path, size: end });
  }
  return { files: kept, droppedFiles: dropped.slice(0, LIMITS.shown.names) };
}

/** Returns the new size of the file, or why it must be removed. */
async function hideInFile(
  path: string,
  size: number,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<number | string> {
  // There may be many small files.
  await setImmediate();
  try {
    signal.throwIfAborted();
    const hidden = size > LIMITS.soft.resource ? undefined : await hiddenText(readFileSync(path), redactor, signal);
    if (hidden === undefined) return (await hasSecret(path, redactor, signal)) ? "it contains a secret" : size;
    if (hidden.isChanged) writeFileSync(path, hidden.text);
    return hidden.isChanged ? Buffer.byteLength(hidden.text) : size;
  } catch (error) {
    if (signal.aborted) return "it was not checked";
    throw error;
  }
}

/** Returns the text of a file without secrets, or undefined if it is not a text. */
async function hiddenText(
  bytes: Buffer,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isChanged: boolean } | undefined> {
  const given = bytes.toString("utf8");
  if (!Buffer.from(given).equals(bytes)) return undefined;
  const text = await redactInParts(redactor, given, { signal });
  return { text, isChanged: text !== given };
}

/** Whether a file contains a secret. In parts, because other work waits meanwhile. */
async function hasSecret(path: string, redactor: Redactor, signal: AbortSignal): Promise<boolean> {
  const stream = redactor.stream();
  for await (const text of createReadStream(path, { encoding: "latin1", highWaterMark: PART })) {
    signal.throwIfAborted();
    stream.push(text as string);
    if (stream.hasFound) return true;
  }
  return false;
}
