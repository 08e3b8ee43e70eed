import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "../../../core/base/limits.ts";
import { untilAborted } from "../../../core/base/until-aborted.ts";
import { removeTree } from "../../../node/copy/remove-tree.ts";
import { quote } from "../../process/quote.ts";
import { reasonToDrop } from "../../process/reason-to-drop.ts";
import { command, type Machine } from "./remote-machine.ts";
import type { RemoteSession } from "./remote-session.ts";
import { type LocalFile, readFolder } from "./send-files.ts";

interface Fetched {
  /** Whether the files there exceed the limit. Those beyond it are not fetched. */
  readonly isTooMuch: boolean;
}

interface FetchPlaces {
  /** The folder on the other machine. */
  readonly from: string;
  /** The folder here. Nobody else changes it meanwhile, and it has no links. */
  readonly to: string;
  readonly maxBytes: number;
}

/**
 * Makes a folder here equal to one on the other machine, which may say anything: a name that is not plain is ignored, no
 * more bytes are read than the limit, and nothing is written outside the folder.
 */
export async function fetchFiles(
  session: RemoteSession,
  machine: Machine,
  { from, to, maxBytes }: FetchPlaces,
  signal: AbortSignal,
): Promise<Fetched> {
  const { listed, isComplete } = await list(session, machine, from, signal);
  const before = new Map(readFolder(to).map((file) => [file.path, file]));
  if (isComplete) for (const path of before.keys()) if (!listed.has(path)) removeTree(join(to, path));
  let rest = maxBytes;
  for (const [path, { size, sum }] of listed) {
    if (size > rest) return { isTooMuch: true };
    const known = before.get(path);
    const isSame = sum !== undefined && known !== undefined && sum === sumOf(known);
    const content = isSame ? known.content : await read(session, `${from}/${path}`, rest, signal);
    if (content === "too large") return { isTooMuch: true };
    rest -= content?.length ?? 0;
    if (content !== undefined && !isSame) write(to, path, content);
  }
  return { isTooMuch: !isComplete };
}

interface Listed {
  readonly size: number;
  /** The SHA-256 of the content, if the machine can compute it. */
  readonly sum: string | undefined;
}

/** Lists plain files by path. Of more files than a session may have, only the first are listed. */
async function list(
  session: RemoteSession,
  { hasSums }: Machine,
  folder: string,
  signal: AbortSignal,
): Promise<{ listed: ReadonlyMap<string, Listed>; isComplete: boolean }> {
  const most = LIMITS.hard.filesInSkill;
  const each = (program: string): string => `find . -type f -exec ${program} {} + | head -n ${2 * most}`;
  const sums = hasSums ? `; ${each("sha256sum")}` : "";
  const line = `cd ${quote(folder)} && { ${each("wc -c")}${sums}; echo end; }`;
  const { stdout } = await command(session, line, signal);
  if (!stdout.endsWith("end\n")) throw new Error("The files cannot be listed.");
  const sizes = new Map<string, number>();
  const hashes = new Map<string, string>();
  for (const one of stdout.split("\n")) {
    const [, hash, size, path = ""] = /^(?:([0-9a-f]{64}) [ *]| *(\d{1,15}) )\.\/(.+)$/.exec(one) ?? [];
    if (!isPlain(path)) continue;
    if (hash !== undefined) hashes.set(path, hash);
    else sizes.set(path, Number(size));
  }
  const listed = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, most);
  return {
    listed: new Map(listed.map(([path, size]) => [path, { size, sum: hashes.get(path) }])),
    isComplete: sizes.size <= most,
  };
}

function isPlain(path: string): boolean {
  const isNormal = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  return path !== "" && isNormal && reasonToDrop({ path, kind: "file" }) === undefined;
}

/** Undefined if the file does not exist anymore, as a line of a name with a line break. */
async function read(
  session: RemoteSession,
  path: string,
  most: number,
  abortSignal: AbortSignal,
): Promise<Uint8Array | "too large" | undefined> {
  const stream = await untilAborted(abortSignal, Promise.resolve(session.readFile({ path, abortSignal })));
  if (stream === null) return undefined;
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await untilAborted(abortSignal, reader.read());
      if (done) return Buffer.concat(chunks);
      bytes += value.length;
      if (bytes > most) return "too large";
      chunks.push(value);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function write(root: string, path: string, content: Uint8Array): void {
  const target = join(root, path);
  // A folder here can be a file there.
  if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) removeTree(target);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writeFileSync(target, content, { mode: 0o600 });
}

function sumOf({ content }: LocalFile): string {
  return createHash("sha256").update(content).digest("hex");
}
