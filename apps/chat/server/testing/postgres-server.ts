import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** The folder with PostgreSQL's programs: on the PATH, or in Debian's location. */
const PROGRAMS = [
  ...(process.env.PATH ?? "").split(":"),
  ...globSync("/usr/lib/postgresql/*/bin").sort().reverse(),
].find((folder) => ["postgres", "initdb"].every((name) => existsSync(join(folder, name))));

export const hasPostgres = PROGRAMS !== undefined;

/** A suffix for the titles of skipped tests. */
export const POSTGRES_MISSING = hasPostgres
  ? ""
  : " (skipped: PostgreSQL is not installed. Run 'apt-get install postgresql', or add 'postgres' and 'initdb' to the PATH)";

export interface PostgresServer {
  readonly url: string;
  /** Returns the URL of a new database. */
  createDatabase(): Promise<string>;
  /** Runs one statement as a superuser. */
  run(statement: string, url?: string): Promise<readonly Record<string, unknown>[]>;
  /** Kills the server, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends the server until it is resumed. */
  freeze(): void;
  wake(): void;
  close(): Promise<void>;
}

/** Starts a real server on a free port. Its data folder is deleted at the end. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "skillset-postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  // PostgreSQL refuses to run as root.
  const options: SpawnOptions = { cwd: folder, stdio: "ignore", ...(process.getuid?.() === 0 && NOBODY) };
  if (process.getuid?.() === 0) for (const path of [folder, data]) chownSync(path, NOBODY.uid, NOBODY.gid);
  const program = (name: string): string => join(PROGRAMS ?? "", name);
  spawnSync(program("initdb"), ["-D", data, "-U", "chat", "-A", "trust", "-E", "UTF8", "--no-sync"], options);
  const port = await freePort();
  const url = `postgres://chat@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;
  let ended: Promise<unknown>;

  const start = async (): Promise<void> => {
    const deadline = Date.now() + 60_000;
    // After a crash, old processes may still be exiting. The server then refuses to start, so the start is retried.
    for (;;) {
      const next = spawn(
        program("postgres"),
        ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder],
        options,
      );
      server = next;
      ended = new Promise((resolve) => next.once("exit", resolve));
      while (next.exitCode === null && Date.now() < deadline) {
        const isReady = await runStatement(url, "SELECT 1").then(
          () => true,
          () => false,
        );
        if (isReady) return;
        await pause(100);
      }
      if (Date.now() >= deadline) throw new Error("PostgreSQL did not start.");
      await pause(100);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await ended;
  };
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const pid of [server.pid as number, ...childrenOf(server.pid as number)]) process.kill(pid, signal);
  };
  await start();
  return {
    url,
    createDatabase: () => createDatabase(url),
    run: (statement, where = url) => runStatement(where, statement),
    kill: () => end("SIGKILL"),
    start,
    freeze: () => signalAll("SIGSTOP"),
    wake: () => signalAll("SIGCONT"),
    close: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a database on a server and returns its URL. */
export async function createDatabase(url: string): Promise<string> {
  const name = `chat_${randomUUID().replaceAll("-", "")}`;
  await runStatement(url, `CREATE DATABASE ${name}`);
  return url.replace(/[^/]+$/, name);
}

async function runStatement(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const NOBODY = { uid: 65_534, gid: 65_534 };

function childrenOf(parent: number): readonly number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
