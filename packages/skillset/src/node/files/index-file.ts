import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../core/base/limits.ts";
import { messageOf } from "../../core/base/message-of.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { IndexStore } from "../../core/search/index-store.ts";

/** Keeps the index of a skillset in a file that only this user can read. A file that is no index is never replaced. */
export class IndexFile implements IndexStore {
  readonly #path: string;
  readonly #onProblem: (problem: Problem) => void;
  #isForeign = false;

  constructor(path: string, onProblem: (problem: Problem) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
  }

  async read(): Promise<Uint8Array | undefined> {
    let file: FileHandle | undefined;
    try {
      // Without this flag, opening a pipe waits for its writer.
      file = await open(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
      const stats = await file.stat();
      this.#isForeign = !stats.isFile() || !isIndex(await readStart(file, Math.min(stats.size, MAGIC.length)));
      if (this.#isForeign) this.#reportForeign(`'${this.#path}' is not an index file.`);
      else if (stats.size > LIMITS.hard.indexFile) this.report(`it has more than ${LIMITS.hard.indexFile} bytes`);
      else return await this.#check(await readStart(file, stats.size));
    } catch (error) {
      this.#isForeign = (error as NodeJS.ErrnoException).code !== "ENOENT";
      if (this.#isForeign) this.#reportForeign(`'${this.#path}' cannot be read (${messageOf(error)}).`);
    } finally {
      await file?.close();
    }
    return undefined;
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    if (this.#isForeign) return;
    const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, PREFIX);
    if (size > LIMITS.hard.indexFile)
      return this.#reportUnwritten(`it would have more than ${LIMITS.hard.indexFile} bytes`);
    const temporary = `${this.#path}.${randomUUID()}.tmp`;
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        for (const piece of [MAGIC, await hash(pieces), ...pieces]) await file.writeFile(piece);
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path);
    } catch (error) {
      this.#reportUnwritten(messageOf(error));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  report(reason: string): void {
    const message = `The index file '${this.#path}' is not used: ${reason}.`;
    const fix = "No action is needed: the index is built again, and the file is replaced.";
    this.#onProblem({ code: "index-unusable", severity: "warning", message, fix });
  }

  /** Returns the bytes after the checksum, if the file is complete. */
  async #check(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    const content = bytes.subarray(PREFIX);
    if (bytes.length < PREFIX) this.report("it is not complete");
    else if (!(await hash([content])).equals(bytes.subarray(MAGIC.length, PREFIX)))
      this.report("its content is damaged");
    else return content;
    return undefined;
  }

  #reportForeign(reason: string): void {
    const message = `${reason} It is not used, and not replaced.`;
    const fix = "Name another file for the index, or remove this one.";
    this.#onProblem({ code: "index-unusable", severity: "warning", message, fix });
  }

  #reportUnwritten(reason: string): void {
    const message = `The index file '${this.#path}' is not written: ${reason}.`;
    const fix = "Name a file in a folder that this program can write to, or leave out the index file.";
    this.#onProblem({ code: "index-unusable", severity: "warning", message, fix });
  }
}

/** The first bytes of every index file. */
const MAGIC = Buffer.from("skillset index\n\0");
const PREFIX = MAGIC.length + 32;
/** How much is hashed before other work continues: about a millisecond. */
const HASHED_AT_ONCE = 1024 * 1024;

/** Whether the first bytes are those of an index, as far as there are any. */
function isIndex(start: Uint8Array): boolean {
  return start.every((byte, at) => byte === MAGIC[at]);
}

/** Returns the first bytes of a file. */
async function readStart(file: FileHandle, size: number): Promise<Uint8Array> {
  // Not from Node's pool of buffers: numbers can be read without a copy only if they are aligned.
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

async function hash(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const sum = createHash("sha256");
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += HASHED_AT_ONCE) {
      sum.update(piece.subarray(start, start + HASHED_AT_ONCE));
      await setImmediate();
    }
  }
  return sum.digest();
}
