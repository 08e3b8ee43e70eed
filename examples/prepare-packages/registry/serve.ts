import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A registry of npm with the package `loud`, on loopback, so that the example needs no network. */
export async function serveRegistry(): Promise<{ address: string; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "registry-"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: join(import.meta.dirname, "loud") });
  const tarball = readFileSync(join(folder, "loud-1.0.0.tgz"));
  rmSync(folder, { recursive: true });
  const server = createServer(({ url }, response) => {
    if (url === "/loud-1.0.0.tgz") return response.end(tarball);
    if (url !== "/loud") return response.writeHead(404).end();
    const version = { name: "loud", version: "1.0.0", dist: { tarball: `${address}/loud-1.0.0.tgz` } };
    return response.end(JSON.stringify({ "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, close: () => void server.close() };
}
