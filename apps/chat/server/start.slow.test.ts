import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { fillDataFolder } from "./testing/memory-database.ts";
import { startProgram } from "./testing/start-program.ts";

test("a client that does not finish its request is disconnected, while others are served", async () => {
  const project = temporaryFolder({ "config.toml": "[database]\nfolder = 'data'" });
  await fillDataFolder(`${project}/data`);
  const { url } = await startProgram(project);
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const ended = Promise.all(sockets.map(readAll));
  for (const socket of sockets) socket.write("GET /api/state HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  expect((await fetch(`${url}healthz`)).status).toBe(200);
  for (const answer of await ended) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
}, 120_000);

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  await once(socket, "close");
  return text;
}
