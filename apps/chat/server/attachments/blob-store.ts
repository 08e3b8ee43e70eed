import { createHash, randomUUID } from "node:crypto";
import { setImmediate as letOthersRun } from "node:timers/promises";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AttachmentsConfig } from "../config/config.ts";
import type { Queries } from "../database/database.ts";
import { onFullDisk } from "../database/free-space.ts";
import { blobPieces, blobs } from "../database/schema.ts";
import { ApiFailure } from "../http/api-failure.ts";

/** A content that was received, and that no attachment has yet. */
export interface ReceivedBlob {
  readonly id: string;
  readonly digest: string;
  readonly size: number;
  /** The first piece. */
  readonly head: Uint8Array;
}

type Limits = Pick<AttachmentsConfig, "maxBytes" | "totalBytes">;

/** Stores contents in pieces. */
export class BlobStore {
  readonly #queries: Queries;
  readonly #limits: Limits;
  /** The bytes of uploads that are not complete. */
  #incoming = 0;

  constructor(queries: Queries, limits: Limits) {
    this.#queries = queries;
    this.#limits = limits;
  }

  /** Stores a content while it is received: only one piece is in memory. Removes it again if that fails. */
  async receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedBlob> {
    const id = randomUUID();
    const stored = await this.#storedBytes();
    const hash = createHash("sha256");
    let head: Uint8Array | undefined;
    let size = 0;
    await this.#queries.insert(blobs).values({ id });
    try {
      let count = 0;
      for await (const bytes of inPieces(content, (more) => this.#count(size + more))) {
        size += bytes.length;
        this.#incoming += bytes.length;
        if (stored + this.#incoming > this.#limits.totalBytes) throw full();
        hash.update(bytes);
        head ??= bytes;
        const piece = { blobId: id, piece: count++, bytes: Buffer.from(bytes).toString("hex") };
        await this.#queries.insert(blobPieces).values(piece);
        // Queries of the embedded database follow each other without a pause for requests.
        await letOthersRun();
      }
    } catch (error) {
      await onFullDisk(() => this.remove(id)).catch(() => {});
      throw error;
    } finally {
      this.#incoming -= size;
    }
    return { id, size, digest: `sha256:${hash.digest("hex")}`, head: head ?? new Uint8Array() };
  }

  #count(size: number): void {
    if (size <= this.#limits.maxBytes) return;
    const most = Math.round(this.#limits.maxBytes / 1024 / 1024);
    throw new ApiFailure(413, "file-too-large", `The file is too large: the limit is ${most} MB.`);
  }

  async #storedBytes(): Promise<number> {
    const [row] = await this.#queries.select({ bytes: sql<string>`coalesce(sum(size), 0)` }).from(blobs);
    return Number(row?.bytes ?? 0);
  }

  /** Keeps a received content, unless there is the same one already. Returns the id of the one to refer to. */
  async keep(transaction: Queries, { id, digest, size }: ReceivedBlob): Promise<string> {
    // One upload of the same content at a time: the digest is unique.
    await transaction.execute(sql`SELECT pg_advisory_xact_lock(${UPLOADS}, hashtext(${digest}))`);
    const kept = await transaction.execute(sql`
      UPDATE blobs SET digest = ${digest}, size = ${size} WHERE id = ${id}
        AND NOT EXISTS (SELECT FROM blobs WHERE digest = ${digest}) RETURNING id`);
    if ((kept as unknown as { rows: unknown[] }).rows.length > 0) return id;
    const [same] = await transaction.select({ id: blobs.id }).from(blobs).where(eq(blobs.digest, digest)).for("update");
    if (same === undefined) throw new ApiFailure(503, "busy", "The same file was just removed. Try again.");
    return same.id;
  }

  async *pieces(id: string): AsyncGenerator<Uint8Array> {
    for (let piece = 0; ; piece++) {
      const bytes = await this.piece(id, piece);
      if (bytes === undefined) return;
      yield bytes;
      await letOthersRun();
    }
  }

  async piece(id: string, piece: number): Promise<Uint8Array | undefined> {
    const isIt = and(eq(blobPieces.blobId, id), eq(blobPieces.piece, piece));
    const hex = sql<string>`encode(${blobPieces.bytes}, 'hex')`;
    const [row] = await this.#queries.select({ hex }).from(blobPieces).where(isIt);
    return row && Buffer.from(row.hex, "hex");
  }

  async remove(id: string): Promise<void> {
    await this.#queries.delete(blobs).where(eq(blobs.id, id));
  }

  async removeUnused(id: string): Promise<void> {
    await this.#queries.delete(blobs).where(and(eq(blobs.id, id), IS_UNUSED));
  }

  /** Removes contents that nothing refers to, and uploads that never ended. One at a time: each can have many rows. */
  async sweep(isInterrupted: SQL): Promise<void> {
    for (;;) {
      const { rows } = (await this.#queries.execute(sql`
        DELETE FROM blobs WHERE id IN (
          SELECT id FROM blobs WHERE (digest IS NOT NULL OR ${isInterrupted}) AND ${IS_UNUSED} LIMIT 1)
        RETURNING id`)) as unknown as { rows: unknown[] };
      if (rows.length === 0) return;
    }
  }
}

/** The first key of the locks for uploads. */
const UPLOADS = 727358;

const IS_UNUSED = sql`NOT EXISTS (SELECT FROM attachments WHERE attachments.blob_id = blobs.id)`;

/** A piece that the embedded database stores within a few milliseconds. */
export const PIECE_BYTES = 128 * 1024;

/** Joins and splits what arrives into pieces of the same size. `onBytes` sees the size of what is waiting. */
async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  onBytes: (waiting: number) => void,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    size += chunk.length;
    onBytes(size);
    if (size < PIECE_BYTES) continue;
    const joined = Buffer.concat(waiting);
    let at = 0;
    for (; joined.length - at >= PIECE_BYTES; at += PIECE_BYTES) {
      size -= PIECE_BYTES;
      yield joined.subarray(at, at + PIECE_BYTES);
    }
    waiting = at === joined.length ? [] : [joined.subarray(at)];
  }
  if (size > 0) yield Buffer.concat(waiting);
}

function full(): ApiFailure {
  const message = "The chat has no room for more files. Delete chats with files, or raise 'total_mb' in the settings.";
  return new ApiFailure(507, "attachments-full", message);
}
