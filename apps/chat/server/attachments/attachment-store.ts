import { randomUUID } from "node:crypto";
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Attachment } from "../../shared/attachments-api.ts";
import { storable } from "../chats/storable.ts";
import type { AttachmentsConfig } from "../config/config.ts";
import type { Queries } from "../database/database.ts";
import { onFullDisk } from "../database/free-space.ts";
import { attachments, blobs, chats } from "../database/schema.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { BlobStore } from "./blob-store.ts";
import { freeName, safeFileName } from "./file-name.ts";
import { mediaTypeOf } from "./media-type.ts";

export interface StoredAttachment extends Attachment {
  readonly blobId: string;
  /** Undefined until a message with the file is sent. */
  readonly chatId: string | undefined;
}

/** Stores the files that people attach. Each content is stored once, and removed when nothing refers to it. */
export class AttachmentStore {
  readonly config: AttachmentsConfig;
  readonly #queries: Queries;
  readonly #blobs: BlobStore;
  /** Whether an upload was interrupted, if it has no digest yet. */
  readonly #isInterrupted: SQL;

  /** Unless other servers use the database, no upload that is older than this object can continue. */
  constructor(queries: Queries, config: AttachmentsConfig, { isShared = true } = {}) {
    this.config = config;
    const opened = new Date().toISOString();
    this.#isInterrupted = isShared ? IS_OLD : sql`(created_at < ${opened} OR ${IS_OLD})`;
    this.#queries = queries;
    this.#blobs = new BlobStore(queries, config);
  }

  /** Stores a file while it is received. */
  async upload(content: AsyncIterable<Uint8Array>, givenName: string): Promise<Attachment> {
    const blob = await this.#blobs.receive(content);
    try {
      return await this.#add(blob, givenName);
    } catch (error) {
      await onFullDisk(() => this.#blobs.remove(blob.id)).catch(() => {});
      throw error;
    }
  }

  async #add(blob: Awaited<ReturnType<BlobStore["receive"]>>, givenName: string): Promise<Attachment> {
    const name = safeFileName(givenName);
    const { size, digest } = blob;
    const row = { id: randomUUID(), name, mediaType: mediaTypeOf(blob.head, name) };
    const blobId = await this.#queries.transaction(async (transaction) => {
      const kept = await this.#blobs.keep(transaction, blob);
      await transaction.insert(attachments).values({ ...row, blobId: kept });
      return kept;
    });
    if (blobId !== blob.id) await this.#blobs.remove(blob.id);
    return { ...row, size, digest };
  }

  /** Undefined if it does not exist, or if its chat is in the bin. */
  async get(id: string): Promise<StoredAttachment | undefined> {
    if (!isId(id)) return undefined;
    const isShown = or(isNull(attachments.chatId), isNull(chats.deletedAt));
    const [row] = await selectFiles(this.#queries)
      .leftJoin(chats, eq(chats.id, attachments.chatId))
      .where(and(eq(attachments.id, id), isShown));
    return row && toStored(row);
  }

  /** A file of a chat by its digest. */
  async find(chatId: string, digest: string): Promise<StoredAttachment | undefined> {
    const isIt = and(eq(attachments.chatId, chatId), eq(blobs.digest, digest));
    const [row] = await selectFiles(this.#queries).where(isIt).limit(1);
    return row && toStored(row);
  }

  /** The content, one piece after the other. */
  read({ blobId }: Pick<StoredAttachment, "blobId">): AsyncIterable<Uint8Array> {
    return this.#blobs.pieces(blobId);
  }

  /** The start of the content, at most one piece. */
  async head({ blobId }: Pick<StoredAttachment, "blobId">): Promise<Uint8Array> {
    return (await this.#blobs.piece(blobId, 0)) ?? new Uint8Array();
  }

  /**
   * Assigns files to a chat, for a message that is about to be stored, and chooses where scripts find them. `taken` says
   * which paths are in use. Files of other chats do not exist here.
   */
  async claim(
    chatId: string,
    ids: readonly string[],
    taken: (path: string) => boolean = () => false,
  ): Promise<readonly Attachment[]> {
    return this.#queries.transaction(async (transaction) => {
      // One message of a chat at a time, so that no two files get the same path.
      const isChat = eq(chats.id, storable(chatId));
      const [chat] = await transaction.select({ id: chats.id }).from(chats).where(isChat).for("update");
      // The message is refused for the same reason.
      if (chat === undefined) return [];
      const isCandidate = or(isNull(attachments.chatId), eq(attachments.chatId, chatId));
      const claimed: Attachment[] = [];
      for (const id of ids) {
        const isIt = and(eq(attachments.id, id), isCandidate);
        // Locked, because another chat may claim it, or the sweep remove it, at the same moment.
        const [row] = await selectFiles(transaction).where(isIt).for("update", { of: attachments });
        if (row === undefined) throw gone();
        const stored = toStored(row);
        const path = stored.path ?? (await this.#choosePath(transaction, chatId, stored, taken));
        await transaction.update(attachments).set({ chatId, path }).where(eq(attachments.id, id));
        const { blobId: _blob, chatId: _chat, ...file } = stored;
        claimed.push({ ...file, path });
      }
      return claimed;
    });
  }

  /** The same file attached again keeps its path. */
  async #choosePath(
    queries: Queries,
    chatId: string,
    { name, blobId }: StoredAttachment,
    taken: (path: string) => boolean,
  ): Promise<string> {
    const others = await queries.select().from(attachments).where(eq(attachments.chatId, chatId));
    const same = others.find((other) => other.blobId === blobId && other.name === name);
    if (same?.path) return same.path;
    const used = new Set(others.map(({ path }) => path?.toLowerCase()));
    return freeName(name, (one) => used.has(one.toLowerCase()) || taken(one));
  }

  /** Removes an upload that no message has. Returns false if there is none with the id. */
  async remove(id: string): Promise<boolean> {
    if (!isId(id)) return false;
    const isIt = and(eq(attachments.id, id), isNull(attachments.chatId));
    const [row] = await this.#queries.delete(attachments).where(isIt).returning();
    if (row !== undefined) await this.#blobs.removeUnused(row.blobId);
    return row !== undefined;
  }

  /** Removes uploads that were never sent, files whose messages are gone, and contents that nothing refers to. */
  async sweep(): Promise<void> {
    await this.#queries.execute(sql`DELETE FROM attachments WHERE chat_id IS NULL AND ${IS_OLD}`);
    const { rows } = (await this.#queries.execute(
      sql`SELECT DISTINCT chat_id AS id FROM attachments WHERE chat_id IS NOT NULL AND ${IS_OLD}`,
    )) as unknown as { rows: { id: string }[] };
    for (const { id } of rows) {
      // In small steps, because the embedded database runs on this thread.
      await this.#queries.execute(sql`DELETE FROM attachments WHERE chat_id = ${id} AND ${IS_OLD} AND id NOT IN (
        SELECT part->'data'->>'id' FROM messages, jsonb_array_elements(parts) AS part
        WHERE messages.chat_id = ${id} AND role = 'user' AND part->>'type' = 'data-attachment' AND part->'data'->>'id' IS NOT NULL)`);
    }
    await this.sweepContents();
  }

  /** Removes contents that nothing refers to. */
  async sweepContents(): Promise<void> {
    await this.#blobs.sweep(this.#isInterrupted);
  }
}

function isId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

/** How long an upload waits for its message. A draft can wait overnight. */
const UNSENT_HOURS = 24;
const IS_OLD = sql`created_at < now() - make_interval(hours => ${UNSENT_HOURS})`;

function gone(): ApiFailure {
  const message =
    "An attached file is no longer stored: files that are not sent are removed after a day. Attach it again.";
  return new ApiFailure(409, "attachment-gone", message);
}

function selectFiles(queries: Queries) {
  return queries
    .select({ file: attachments, size: blobs.size, digest: blobs.digest })
    .from(attachments)
    .innerJoin(blobs, eq(blobs.id, attachments.blobId))
    .$dynamic();
}

interface FileRow {
  readonly file: typeof attachments.$inferSelect;
  readonly size: number;
  readonly digest: string | null;
}

function toStored({ file, size, digest }: FileRow): StoredAttachment {
  const { id, name, mediaType, path, blobId, chatId } = file;
  const info = { id, name, mediaType, size: Number(size), digest: digest ?? "", ...(path !== null && { path }) };
  return { ...info, blobId, chatId: chatId ?? undefined };
}
