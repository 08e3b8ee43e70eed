import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { untilAborted } from "../../../core/base/until-aborted.ts";
import type { RemoteSession } from "./remote-session.ts";

/** A file of a folder, with its content. */
export interface LocalFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Reads the files of a folder, sorted. Links and special files are left out. */
export function readFolder(root: string, below = ""): LocalFile[] {
  return readdirSync(join(root, below))
    .sort()
    .flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) return readFolder(root, path);
      return stats.isFile() ? [{ path, content: readFileSync(join(root, path)) }] : [];
    });
}

/** Writes files on the other machine, several at a time. */
export async function sendFiles(
  session: RemoteSession,
  files: readonly LocalFile[],
  folder: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const rest = [...files];
  const work = async (): Promise<void> => {
    for (let file = rest.shift(); file !== undefined; file = rest.shift()) {
      await sendFile(session, { ...file, path: `${folder}/${file.path}` }, abortSignal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, rest.length) }, work));
}

/** Writes one file on the other machine. */
export async function sendFile(
  session: RemoteSession,
  { path, content }: LocalFile,
  abortSignal: AbortSignal,
): Promise<void> {
  abortSignal.throwIfAborted();
  await untilAborted(abortSignal, Promise.resolve(session.writeBinaryFile({ path, content, abortSignal })));
}

const AT_A_TIME = 8;
