import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "./probe.ts";

/** What is outside of a sandbox: files, servers and a process. Everybody may use them, so that only the sandbox protects. */
export async function openWorld(skill: string): Promise<World & { reset(): void; close(): Promise<void> }> {
  const mark = `MARK-${randomBytes(8).toString("hex")}`;
  const outside = mkdtempSync(join(realpathSync(tmpdir()), "outside-"));
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${mark.length}\r\nConnection: close\r\n\r\n${mark}`;
  const listen = async (where: number | string) => {
    const server = createServer((connection) => void connection.on("error", () => {}).end(answer));
    if (typeof where === "number") server.listen(where, "127.0.0.1");
    else server.listen(where);
    await once(server, "listening");
    return server;
  };
  const socket = join(outside, "socket");
  const abstractSocket = `outside-${mark}`.slice(0, 30);
  const tcp = await listen(0);
  const servers = [tcp, await listen(socket), await listen(`\0${abstractSocket}`)];
  chmodSync(socket, 0o777);
  const udp = createSocket("udp4", (_, { port, address }) => udp.send(mark, port, address));
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  const reset = (): void => {
    rmSync(join(outside, "written"), { recursive: true, force: true });
    const files = {
      canary: mark,
      victim: "",
      "canary_module.py": `MARK = "${mark}"\n`,
      "canary.mjs": `export const MARK = "${mark}";\n`,
      "canary.json": JSON.stringify({ mark }),
      "canary.cjs": `exports.MARK = "${mark}";\n`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(outside, name), `${text}\n`);
    for (const name of Object.keys(files)) chmodSync(join(outside, name), 0o666);
    mkdirSync(outside, { recursive: true });
    chmodSync(outside, 0o777);
  };
  reset();
  const open = openSync(join(outside, "canary"), "r");
  const decoy = spawn("python3", ["-c", "import time; time.sleep(3600)", mark], {
    cwd: outside,
    env: { PATH: process.env.PATH, MARK: mark },
    stdio: ["ignore", "ignore", "ignore", open],
  });
  await once(decoy, "spawn");
  closeSync(open);
  const { port } = tcp.address() as { port: number };
  return {
    outside,
    mark,
    port,
    udpPort: udp.address().port,
    socket,
    abstractSocket,
    pid: decoy.pid ?? 0,
    skill,
    reset,
    close: async () => {
      decoy.kill("SIGKILL");
      await once(decoy, "exit");
      for (const server of servers) server.close();
      udp.close();
      rmSync(outside, { recursive: true, force: true });
      const left = [`/dev/shm/skillset-probe-${decoy.pid}`, `/usr/bin/.probe-${decoy.pid}`, `/etc/.probe-${decoy.pid}`];
      for (const path of left) rmSync(path, { force: true });
    },
  };
}
