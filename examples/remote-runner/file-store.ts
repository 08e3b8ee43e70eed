import { createHash, randomUUID } from "node:crypto";
import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Contents of files, named by their SHA-256. The ones that were not used for the longest time make room for others. */
export class FileStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Sizes by digest, the least recently used first. */
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  has(digest: string): boolean {
    return this.#sizes.has(digest);
  }

  async read(digest: string): Promise<Uint8Array | undefined> {
    const size = this.#sizes.get(digest);
    if (size === undefined) return undefined;
    this.#sizes.delete(digest);
    this.#sizes.set(digest, size);
    return readFile(join(this.#folder, digest)).catch(() => undefined);
  }

  /** Adds a content, and returns its digest. */
  async add(content: Uint8Array): Promise<string> {
    const digest = createHash("sha256").update(content).digest("hex");
    if (this.has(digest)) return digest;
    const temporary = join(this.#folder, `${randomUUID()}.part`);
    await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
    await this.#keep(temporary, digest, content.length);
    return digest;
  }

  /** Adds a content that arrives in parts. Returns false if it has another digest. Rejects if a part does. */
  async receive(digest: string, parts: AsyncIterable<Uint8Array>): Promise<boolean> {
    const temporary = join(this.#folder, `${randomUUID()}.part`);
    const hash = createHash("sha256");
    const file = await open(temporary, "wx", 0o600);
    let size = 0;
    try {
      for await (const part of parts) {
        hash.update(part);
        size += part.length;
        await file.writeFile(part);
      }
      if (hash.digest("hex") !== digest) return false;
      await this.#keep(temporary, digest, size);
      return true;
    } finally {
      await file.close();
      await rm(temporary, { force: true });
    }
  }

  async #keep(temporary: string, digest: string, size: number): Promise<void> {
    await rename(temporary, join(this.#folder, digest));
    if (this.has(digest)) return;
    this.#sizes.set(digest, size);
    this.#bytes += size;
    for (const [old, bytes] of this.#sizes) {
      if (this.#bytes <= this.#maxBytes || old === digest) return;
      this.#sizes.delete(old);
      this.#bytes -= bytes;
      await rm(join(this.#folder, old), { force: true });
    }
  }
}
