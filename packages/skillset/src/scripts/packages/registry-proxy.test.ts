import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { report } from "../../../../../test/security/report.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { openRegistryProxy } from "./registry-proxy.ts";

/** A registry over http and one over https (any TCP server), a canary, and the proxy. */
async function openAll(options: { readonly maxBytes?: number; readonly idleTime?: number } = {}) {
  const seen: string[] = [];
  const registry = createHttpServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.end("x".repeat(5_000));
  });
  const echo = createServer((socket) => void socket.on("error", () => {}).pipe(socket));
  let canaries = 0;
  const canary = createServer((socket) => {
    canaries++;
    socket.destroy();
  });
  const ports: number[] = [];
  for (const server of [registry, echo, canary]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push((server.address() as AddressInfo).port);
    onTestFinished(() => void server.close());
  }
  const [plain = 0, tunnel = 0, other = 0] = ports;
  const socket = join(temporaryFolder(), "proxy.sock");
  const origins = [`http://127.0.0.1:${plain}`, `https://127.0.0.1:${tunnel}`];
  const proxy = await openRegistryProxy({ socket, origins, maxBytes: 1_000_000, ...options });
  onTestFinished(() => proxy.close());
  return { socket, plain, tunnel, other, proxy, seen, canaries: () => canaries };
}

/** Sends bytes to the proxy, and returns what it answers until it closes the connection, or a second passed. */
async function send(socket: string, text: string, time = 1_000): Promise<string> {
  const client = connect(socket);
  let answer = "";
  client
    .on("error", () => {})
    .on("data", (bytes) => {
      answer += bytes.toString("latin1");
    });
  client.write(text);
  await Promise.race([
    new Promise((resolve) => client.once("close", resolve)),
    new Promise((resolve) => setTimeout(resolve, time)),
  ]);
  client.destroy();
  return answer;
}

test("the registry is reached with CONNECT over https, and with GET over http", async () => {
  const { socket, plain, tunnel, seen } = await openAll();
  const tunnelled = await send(socket, `CONNECT 127.0.0.1:${tunnel} HTTP/1.1\r\nHost: a\r\n\r\nping`, 300);
  expect(tunnelled).toBe("HTTP/1.1 200 Connection Established\r\n\r\nping");
  const got = await send(
    socket,
    `GET http://127.0.0.1:${plain}/simple/a/ HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n`,
  );
  expect(got).toMatch(/^HTTP\/1\.1 200 /);
  expect(seen).toEqual([`GET 127.0.0.1:${plain} /simple/a/`]);
});

test("nothing else is reached", async () => {
  const { socket, plain, tunnel, other, proxy, seen, canaries } = await openAll();
  const host = "Host: 127.0.0.1\r\n";
  const get = (address: string, headers = host): string => `GET ${address} HTTP/1.1\r\n${headers}\r\n`;
  const attacks = [
    `CONNECT 127.0.0.1:${other} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT localhost:${tunnel} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT localhost:${other} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT [::ffff:127.0.0.1]:${other} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 2130706433:${other} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 127.1:${other} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 127.0.0.1:${plain} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 127.0.0.1:${tunnel}@127.0.0.1:${other} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 127.0.0.1:${other}#127.0.0.1:${tunnel} HTTP/1.1\r\n${host}\r\n`,
    `CONNECT /etc/passwd HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 127.0.0.1:${other} HTTP/1.1\r\nHost: 127.0.0.1:${tunnel}\r\n\r\n`,
    get(`http://127.0.0.1:${other}/`),
    get(`http://127.0.0.1:${other}/`, `Host: 127.0.0.1:${plain}\r\n`),
    get(`http://127.0.0.1:${plain}@127.0.0.1:${other}/`),
    get(`http://user:secret@127.0.0.1:${plain}/`),
    get(`https://127.0.0.1:${tunnel}/`),
    get(`//127.0.0.1:${other}/`),
    get("/simple/", `Host: 127.0.0.1:${other}\r\n`),
    get("file:///etc/passwd"),
    `POST http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}Content-Length: 4\r\n\r\nleak`,
    `PUT http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}\r\n`,
    `GET http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}Content-Length: 4\r\n\r\nleak`,
    `GET http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n4\r\nleak\r\n0\r\n\r\n`,
    `GET http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `GET http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}X: a\nGET http://127.0.0.1:${other}/ HTTP/1.1\r\n\r\n`,
    `GET http://127.0.0.1:${other}/ HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET http://127.0.0.1:${plain}/ HTTP/1.1\r\n${host}X: ${"a".repeat(20_000)}\r\n\r\n`,
    `CONNECT 127.0.0.1:${tunnel} HTTP/1.1\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "\x05\x01\x00",
  ];
  const answers = await Promise.all(attacks.map((attack) => send(socket, attack)));
  const reached = attacks.filter((_, index) => /^HTTP\/1\.1 2/.test(answers[index] ?? ""));
  const control = "the canary is reached without the proxy";
  report("S12", {
    tried: "requests to the proxy of the registry",
    cases: attacks.length,
    through: reached.length + canaries() + seen.length,
    control,
  });
  expect(reached).toEqual([]);
  expect({ canaries: canaries(), seen }).toEqual({ canaries: 0, seen: [] });
  expect(proxy.refused).toContain(`CONNECT 127.0.0.1:${other}`);
  // The control: the canary can be reached without the proxy.
  await new Promise((resolve) =>
    connect(other, "127.0.0.1")
      .on("error", () => {})
      .once("close", resolve),
  );
  expect(canaries()).toBe(1);
});

test("a header that does not end is dropped after the idle time", async () => {
  const { socket } = await openAll({ idleTime: 200 });
  const start = performance.now();
  const client = connect(socket);
  client.on("error", () => {});
  client.write("CONNECT 127.0.0.1:1 HTTP/1.1\r\n");
  const drip = setInterval(() => client.write("X-A: b\r\n"), 50);
  await new Promise((resolve) => client.once("close", resolve));
  clearInterval(drip);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("an answer that exceeds the limit of bytes is cut", async () => {
  const { socket, plain } = await openAll({ maxBytes: 2_000 });
  const request = `GET http://127.0.0.1:${plain}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  expect((await send(socket, request)).length).toBeLessThan(5_000);
});
