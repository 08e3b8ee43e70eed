import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fillDataFolder } from "../../apps/chat/server/testing/memory-database.ts";
import { mountSmallDisk, SMALL_DISK_MISSING, type SmallDisk } from "../../apps/chat/server/testing/small-disk.ts";
import { type RunningServer, startServer } from "./chat-under-load.ts";
import { report } from "./report.ts";

const MB = 1024 * 1024;

/** The size of the disk, and what another program leaves of it. Only the larger one has room for the database's reserve. */
const CASES = [
  { end: "kill", megabytes: 160, left: 4 },
  { end: "kill", megabytes: 240, left: 2 },
  { end: "stop", megabytes: 160, left: 4 },
] as const;

test.skipIf(SMALL_DISK_MISSING !== "")(
  `S25: on a disk that a client filled, the chat starts after a crash, can be read, and is freed from inside${SMALL_DISK_MISSING}`,
  async () => {
    let through = 0;
    const freed: string[] = [];
    for (const { end, megabytes, left } of CASES) {
      const disk = mountSmallDisk(megabytes);
      const result = await fillAndFree(disk, end, left);
      freed.push(`${left} to ${Math.round(disk.free())}`);
      if (result !== "freed") through++;
      expect(result).toBe("freed");
    }
    report("S25", {
      tried: "restarts on a full disk",
      cases: CASES.length,
      through,
      note: `free MB before and after deleting: ${freed.join(", ")}`,
    });
  },
);

async function fillAndFree(disk: SmallDisk, end: "kill" | "stop", left: number): Promise<string> {
  const folder = join(disk.folder, "data");
  await fillDataFolder(folder);
  const environment = { HOME: disk.folder, DATA_DIR: folder, LOG_LEVEL: "error" };
  const first = await startServer({ environment });
  onTestFinished(() => first.kill());
  const { id } = await create(first);
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Still here?" }] };
  await (await send(first, "POST", `chats/${id}/turn`, { message, modelId: "offline" })).text();
  const files: string[] = [];
  for (;;) {
    const response = await upload(first);
    const { id: file } = (await response.json()) as { id: string };
    if (response.status === 507) break;
    files.push(file);
  }
  disk.fill(left);
  await first[end]();
  const server = await startServer({ environment });
  onTestFinished(() => server.kill());
  expect(await (await send(server, "GET", `chats/${id}`)).text()).toContain("Still here?");
  expect(await statusOf(server, "../readyz")).toBe(503);
  expect((await send(server, "POST", "chats")).status).toBe(507);
  for (const file of files) expect((await send(server, "DELETE", `files/${file}`)).status).toBe(204);
  await send(server, "DELETE", `chats/${id}`);
  await send(server, "DELETE", "bin");
  const status = (await send(server, "POST", "chats")).status;
  const ready = await statusOf(server, "../readyz");
  await server.kill();
  return status === 201 && ready === 200 ? "freed" : `${status}, and /readyz ${ready}`;
}

function upload(server: RunningServer): Promise<Response> {
  const headers = { "content-type": "application/octet-stream" };
  return fetch(`${server.url}api/files?name=a.bin`, { method: "POST", headers, body: randomBytes(8 * MB) });
}

async function create(server: RunningServer): Promise<{ readonly id: string }> {
  return (await send(server, "POST", "chats")).json() as Promise<{ id: string }>;
}

async function statusOf(server: RunningServer, path: string): Promise<number> {
  return (await send(server, "GET", path)).status;
}

function send({ url }: RunningServer, method: string, path: string, body?: unknown): Promise<Response> {
  const init = { method, headers: { "content-type": "application/json" } };
  return fetch(`${url}api/${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
}
