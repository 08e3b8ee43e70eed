import type { PGlite } from "@electric-sql/pglite";
import { reasonOf } from "../observe/error-reason.ts";
import { hasFreeSpace, hasRoomInLog, logSegments } from "./free-space.ts";
import { keepReserve } from "./space-reserve.ts";

export interface UpkeepOptions {
  readonly folder: string;
  readonly onFailure?: ((reason: string) => void) | undefined;
  /** Milliseconds between two looks at a database in which little happens. */
  readonly every?: number;
}

/**
 * The log keeps three segments of 16 MiB, so that it can be written while the disk is full. After a start on a full disk
 * it does not get a copy of each changed page, which a power failure may need, so that deleting and cleaning need little.
 */
export function logSettings(folder: string): readonly string[] {
  const settings = ["min_wal_size=48MB", "max_wal_size=64MB"];
  if (!hasFreeSpace(folder)) settings.push("full_page_writes=off");
  return settings.flatMap((one) => ["-c", one]);
}

/**
 * Keeps the files of the embedded database small. It has no background processes: without this, its log grows until the
 * process ends, and the space of deleted rows is never used again.
 */
export class FolderUpkeep {
  readonly #client: Pick<PGlite, "query">;
  readonly #options: UpkeepOptions;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #lookedAt = 0;
  #logsPages = true;
  /** The end of the log at the last checkpoint. */
  #cleared = 0;

  constructor(client: Pick<PGlite, "query">, options: UpkeepOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Frees what an earlier process left behind, then looks at intervals. */
  async start(): Promise<void> {
    const { every = 300_000 } = this.#options;
    await this.#work(async () => {
      const { rows } = await this.#client.query<{ full_page_writes: string }>("SHOW full_page_writes");
      this.#logsPages = rows[0]?.full_page_writes !== "off";
      await this.#checkpoint();
      await this.#tend({ isStart: true });
      await this.#reserveLog();
      keepReserve(this.#options.folder);
    });
    this.#timer = setInterval(() => void this.#work(() => this.#look(LEAST_WRITTEN)), every).unref();
  }

  /** Fills the log up to the three segments. A checkpoint keeps old ones for later, but a new database has none. */
  async #reserveLog(): Promise<void> {
    const { folder } = this.#options;
    const missing = 3 - logSegments(folder);
    if (missing <= 0 || !hasFreeSpace(folder, MOST_WRITTEN)) return;
    for (let segment = 0; segment < missing; segment++) {
      // An empty segment is not switched.
      await this.#client.query("SELECT pg_create_restore_point('chat')");
      await this.#client.query("SELECT pg_switch_wal()");
    }
    await this.#checkpoint();
  }

  /** Call it after each write, outside transactions. The writer waits, so that it cannot be faster than this. */
  async afterWrite(): Promise<void> {
    const isLow = !hasFreeSpace(this.#options.folder);
    if (!isLow && performance.now() - this.#lookedAt < LOOK_PAUSE) return;
    await this.#work(() => this.#look(isLow ? 0 : MOST_WRITTEN));
  }

  /** Makes room in the log for a change that frees space, on a full disk. Returns whether there is enough. */
  async makeRoom(): Promise<boolean> {
    await this.#working;
    await this.#work(() => this.#checkpoint());
    return hasRoomInLog(this.#options.folder, ROOM_TO_FREE);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }

  /** Once at a time. A failure must not fail the write that caused it. */
  async #work(work: () => Promise<void>): Promise<void> {
    this.#working ??= work()
      .catch((error) => this.#options.onFailure?.(reasonOf(error)))
      .finally(() => {
        this.#working = undefined;
        this.#lookedAt = performance.now();
      });
    await this.#working;
  }

  async #look(least: number): Promise<void> {
    if ((await this.#endOfLog()) - this.#cleared < least) return;
    await this.#tend({ isStart: false });
    keepReserve(this.#options.folder);
  }

  async #tend({ isStart }: { readonly isStart: boolean }): Promise<void> {
    const { folder } = this.#options;
    const isLow = !hasFreeSpace(folder);
    if (isLow) await this.#checkpoint();
    for (const table of await this.#tables()) {
      const dead = table.dead + table.deadPieces;
      // The numbers of dead rows are lost if the process was killed.
      const isUnknown = isStart && table.bytes > SMALL_TABLE;
      const isWorthwhile = isWorn(table.dead, table.live) || isWorn(table.deadPieces, table.livePieces);
      // Each page that is cleaned may be written to the log first.
      const most = isUnknown ? table.bytes : (dead * PAGE) / PIECES_PER_PAGE;
      const hasRoom = !this.#logsPages || hasRoomInLog(folder, most);
      if (!(isWorthwhile || isUnknown || (isLow && dead > 0)) || !hasRoom) continue;
      await this.#client.query(`VACUUM ${table.name}`);
      if (isLow) await this.#checkpoint();
    }
    // After the work above, whose pages the log then has already: it would have them twice.
    await this.#checkpoint();
    // Requests wait meanwhile, so only where nobody waits yet, or where the alternative is a chat that stores nothing.
    if (isStart || isLow) await this.#compact(isLow ? SMALL_TABLE : WORTHWHILE);
  }

  /** Writes tables anew that consist of unused space for the most part: otherwise only their end returns to the disk. */
  async #compact(worthwhile: number): Promise<void> {
    for (const { name, pieceBytes } of await this.#tables()) {
      if (pieceBytes < worthwhile) continue;
      const used = await this.#usedBytes(name);
      // The log has the new table too, until the checkpoint.
      const hasRoom = hasFreeSpace(this.#options.folder, 2 * used - RESERVED);
      if (pieceBytes - used < Math.max(worthwhile, used) || !hasRoom) continue;
      // After a failure too: otherwise a crash would write the new table again, from the log.
      await this.#client.query(`VACUUM FULL ${name}`).finally(() => this.#checkpoint());
    }
  }

  /**
   * The space that the values of a table need. PostgreSQL's own numbers are extrapolated from the pages that it has looked
   * at, and wrong by a multiple after many changes. Reads no long values.
   */
  async #usedBytes(name: string): Promise<number> {
    const { rows } = await this.#client.query<{ sizes: string }>(COLUMN_SIZES, [name]);
    const sum = `SELECT sum(${rows[0]?.sizes})::float8 AS bytes FROM ${name}`;
    const bytes = (await this.#client.query<{ bytes: number | null }>(sum)).rows[0]?.bytes ?? 0;
    return Math.ceil(bytes / PIECE / PIECES_PER_PAGE) * PAGE;
  }

  async #checkpoint(): Promise<void> {
    await this.#client.query("CHECKPOINT");
    this.#cleared = await this.#endOfLog();
  }

  async #endOfLog(): Promise<number> {
    const text = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS written";
    return (await this.#client.query<{ written: number }>(text)).rows[0]?.written ?? 0;
  }

  async #tables(): Promise<readonly TableSize[]> {
    // The numbers of dead rows are counted once a second otherwise.
    await this.#client.query("SELECT pg_stat_force_next_flush()");
    return (await this.#client.query<TableSize>(SIZES)).rows;
  }
}

/** Long values are stored in pieces of 2 KB, four to a page. */
interface TableSize {
  readonly name: string;
  readonly bytes: number;
  readonly dead: number;
  readonly live: number;
  readonly pieceBytes: number;
  readonly deadPieces: number;
  readonly livePieces: number;
}

const SIZES = `
  SELECT c.oid::regclass::text AS name, pg_table_size(c.oid)::float8 AS bytes,
    pg_stat_get_dead_tuples(c.oid)::float8 AS dead, greatest(c.reltuples, 0)::float8 AS live,
    coalesce(pg_relation_size(p.oid), 0)::float8 AS "pieceBytes",
    coalesce(pg_stat_get_dead_tuples(p.oid), 0)::float8 AS "deadPieces",
    coalesce(greatest(p.reltuples, 0), 0)::float8 AS "livePieces"
  FROM pg_class c LEFT JOIN pg_class p ON p.oid = c.reltoastrelid
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY bytes`;

const COLUMN_SIZES = `
  SELECT string_agg(format('coalesce(pg_column_size(%I), 0)', attname), ' + ') AS sizes
  FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attlen = -1 AND NOT attisdropped`;

/** As PostgreSQL's autovacuum decides, but sooner for large tables, so that the work is done in short pieces. */
function isWorn(dead: number, live: number): boolean {
  return dead > Math.min(50 + 0.2 * live, 16_000);
}

const MIB = 1024 * 1024;
const PAGE = 8192;
const PIECE = 1996;
const PIECES_PER_PAGE = 4;
const LOOK_PAUSE = 100;
const MOST_WRITTEN = 32 * MIB;
const LEAST_WRITTEN = MIB;
const SMALL_TABLE = 4 * MIB;
const WORTHWHILE = 100 * MIB;
/** More than deleting a chat or an attached file of the default size writes. */
const ROOM_TO_FREE = 24 * MIB;
/** `hasFreeSpace` asks for 32 MiB more, which is more than this work needs. */
const RESERVED = 24 * MIB;
