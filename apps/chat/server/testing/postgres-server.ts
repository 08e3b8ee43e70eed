import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Whether this machine has a PostgreSQL server to test with. */
export const hasPostgres =
  spawnSync("postgres", ["--version"]).status === 0 && spawnSync("initdb", ["--version"]).status === 0;

export interface PostgresServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A real server on a free port, with its data in a folder that is removed at the end. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "skillset-postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  // It refuses to run as root.
  const options: SpawnOptions = { cwd: folder, stdio: "ignore", ...(process.getuid?.() === 0 && NOBODY) };
  if (process.getuid?.() === 0) for (const path of [folder, data]) chownSync(path, NOBODY.uid, NOBODY.gid);
  spawnSync("initdb", ["-D", data, "-U", "chat", "-A", "trust", "-E", "UTF8", "--no-sync"], options);
  const port = await freePort();
  const server = spawn("postgres", ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder], options);
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const close = async (): Promise<void> => {
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const isReady = () => spawnSync("pg_isready", ["-h", "127.0.0.1", "-p", String(port)]).status === 0;
  for (let attempt = 0; attempt < 100 && !isReady(); attempt++) await pause(100);
  return { url: `postgres://chat@127.0.0.1:${port}/postgres`, close };
}

const NOBODY = { uid: 65_534, gid: 65_534 };

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
