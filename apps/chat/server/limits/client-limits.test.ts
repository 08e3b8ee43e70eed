import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { RunningLog } from "../answers/running-log.ts";
import { sendLog } from "../answers/send-log.ts";
import { createChatServer } from "../start.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(async () => {
  vi.useRealTimers();
  await emptyDatabase();
});

/** Sends a request from an IP address. */
const from = (chat: TestChat, client: string, path: string, init: RequestInit = {}) =>
  chat.app.request(path, init, { incoming: { socket: { remoteAddress: client } } });

const question = (text: string, id = "m1") => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message: { id, role: "user", parts: [{ type: "text", text }] }, modelId: "scripted/tools" }),
});

describe("a client", () => {
  test("over the rate limit gets a 429 with Retry-After, and other clients are not affected", async () => {
    const chat = await openChat({ config: "[limits]\nrequests_per_minute = 3" });
    for (let request = 0; request < 3; request++) {
      expect((await from(chat, "192.0.2.1", "/api/state")).status).toBe(200);
    }
    const refused = await from(chat, "192.0.2.1", "/api/state");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({
      error: {
        code: "too-many-requests",
        message: expect.stringMatching(/^Too many requests\. Try again in \d+ seconds\.$/),
      },
    });
    expect((await from(chat, "192.0.2.2", "/api/state")).status).toBe(200);
    // Health checks are never limited.
    for (const path of ["/healthz", "/readyz"]) expect((await from(chat, "192.0.2.1", path)).status).toBe(200);
  });

  test("has a limit of answers per minute", async () => {
    const chat = await openChat({ config: "[limits]\nanswers_per_minute = 1", script: [{ say: "Hi." }] });
    const id = await chat.create();
    await (await from(chat, "192.0.2.1", `/api/chats/${id}/turn`, question("Hello"))).text();
    const refused = await from(chat, "192.0.2.1", `/api/chats/${id}/turn`, question("Again", "m2"));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1);
    expect((await chat.load(id)).messages).toHaveLength(2);
  });

  test("has a limit of open pages", async () => {
    const chat = await openChat({ config: "[limits]\npages_per_client = 2" });
    const open = () => from(chat, "192.0.2.1", "/api/events");
    const [first, second, third] = [await open(), await open(), await open()];
    expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
    expect(await third.json()).toMatchObject({ error: { code: "too-many-pages" } });
    expect((await from(chat, "192.0.2.2", "/api/events")).status).toBe(200);
    await first.body?.cancel();
    await expect.poll(async () => (await open()).status).toBe(200);
  });
});

test("one client has a limit of running answers, and other clients are not affected", async () => {
  const script = [{ hang: true as const }, { say: "Hi." }];
  const chat = await openChat({ config: "[limits]\nanswers_per_client = 1", script });
  const [first, second] = [await chat.create(), await chat.create()];
  const asked = (async () => (await from(chat, "192.0.2.1", `/api/chats/${first}/turn`, question("Hello"))).text())();
  await expect.poll(() => chat.services.running.size).toBe(1);
  const refused = await from(chat, "192.0.2.1", `/api/chats/${second}/turn`, question("Hello"));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: "too-many-answers" } });
  await (await from(chat, "192.0.2.2", `/api/chats/${second}/turn`, question("Hello"))).text();
  expect((await chat.load(second)).messages).toHaveLength(2);
  await chat.call("POST", `/api/chats/${first}/stop`);
  await asked;
  const again = question("Once more", "m2");
  expect((await from(chat, "192.0.2.1", `/api/chats/${second}/turn`, again)).status).toBe(200);
});

test("the server has a limit of running answers, and the next message is refused before it is stored", async () => {
  const chat = await openChat({ config: "[limits]\nanswers_at_once = 1", script: [{ hang: true }] });
  const [first, second] = [await chat.create(), await chat.create()];
  const asked = chat.ask(first, "Hello").then((response) => response.text());
  await expect.poll(() => chat.services.running.size).toBe(1);
  const refused = await chat.ask(second, "Hello");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect((await chat.load(second)).messages).toEqual([]);
  await chat.call("POST", `/api/chats/${first}/stop`);
  await asked;
  expect((await chat.ask(second, "Hello", { modelId: "offline" })).status).toBe(200);
});

describe("a reader that does not read", () => {
  test("of events is dropped after a while, and blocks no one meanwhile", async () => {
    const chat = await openChat();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stuck = await chat.call("GET", "/api/events");
    const reader = ((await chat.call("GET", "/api/events")).body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    await reader.read();
    expect(chat.services.events.listeners).toBe(2);
    for (let event = 0; event < 500; event++) {
      chat.services.events.emit({ type: "chats-changed" });
      expect((await reader.read()).value).toContain("chats-changed");
    }
    await vi.advanceTimersByTimeAsync(31_000);
    expect(chat.services.events.listeners).toBe(1);
    await reader.cancel();
    await stuck.body?.cancel();
  });

  test("of an answer is cut off at a limit, and the answer still completes", async () => {
    const log = new RunningLog("chat", "answer", () => {});
    let dropped = 0;
    const { body } = sendLog({ follow: (follower) => log.follow(0, follower), drop: () => dropped++, bytes: 10_000 });
    for (let sent = 0; sent < 1_000; sent++) writeText(log, "x".repeat(1_000));
    log.end();
    expect(dropped).toBe(1);
    expect(log.chunks).toHaveLength(1_000);
    const kept = await buffer(body as ReadableStream<Uint8Array>);
    expect(kept.byteLength).toBeLessThanOrEqual(11_200);
  });

  /** Requests a response larger than the kernel's buffers over connections that do not read. */
  async function openUnread(stall: number) {
    const files = { "dist/index.html": "", "dist/assets/large.js": new Uint8Array(20_000_000) };
    const chat = await openChat({ config: "[limits]\nrequests_per_client = 3", files });
    const server = await listen(chat, stall);
    let accepted = 0;
    server.on("connection", () => accepted++);
    const { port } = server.address() as AddressInfo;
    const sockets = Array.from({ length: 3 }, () => {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      onTestFinished(() => void socket.destroy());
      socket.write(`GET /assets/large.js HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return socket.pause();
    });
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    return { server, sockets, statusOf, accepted: () => accepted };
  }

  test("of large responses has a limit of responses in memory", async () => {
    const { sockets, statusOf } = await openUnread(0);
    await expect.poll(() => statusOf("/api/state")).toBe(429);
    expect(await statusOf("/healthz")).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => statusOf("/api/state")).toBe(200);
  });

  test("of a large response loses its connection after a while", async () => {
    const { server, accepted } = await openUnread(200);
    await expect.poll(accepted).toBe(3);
    await expect.poll(() => connections(server)).toBe(0);
  });

  test("for a moment is not cut off by two large files at once", async () => {
    const log = new RunningLog("chat", "answer", () => {});
    let [dropped, bytes] = [0, 0];
    const { body } = sendLog({ follow: (follower) => log.follow(0, follower), drop: () => dropped++ });
    for (const file of ["x".repeat(4_000_000), "y".repeat(4_000_000)]) writeText(log, file);
    log.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for await (const chunk of body as ReadableStream<Uint8Array>) bytes += chunk.byteLength;
    expect(dropped).toBe(0);
    expect(bytes).toBeGreaterThan(8_000_000);
  });

  test("of an answer on a real connection does not lose the answer, and other chats still work", async () => {
    const line = "All work and no play. ".repeat(3_000);
    const chunk = { choices: [{ index: 0, delta: { content: line }, finish_reason: null }] };
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    const chunks = [...Array(40).fill(chunk), end].map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
    const chat = await openChat({
      script: [({ messages }) => (isLong(messages) ? { garbage: `${chunks}data: [DONE]\n\n` } : { say: "Short." })],
    });
    const server = await listen(chat, 0);
    const [stuck, other] = [await chat.create(), await chat.create()];
    const body = question("A long one").body;
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const head = `POST /api/chats/${stuck}/turn HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    socket.pause();
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBe(1);
    expect((await chat.say(other, "A short one")).last.parts).toContainEqual(
      expect.objectContaining({ text: "Short." }),
    );
    await expect.poll(() => chat.services.running.size, { timeout: 40_000 }).toBe(0);
    const answer = (await chat.load(stuck)).messages.at(-1);
    expect(answer?.parts.find(({ type }) => type === "text")).toMatchObject({ text: line.repeat(40) });
  });
});

function writeText(log: RunningLog, delta: string): void {
  log.write({ type: "text-delta", id: "1", delta });
  const part = log.take();
  if (part !== undefined) log.deliver(part);
}

const isLong = (messages: readonly { text: string }[]) => messages.at(-1)?.text === "A long one";

async function listen(chat: TestChat, stall: number): Promise<Server> {
  const server = createChatServer(chat.app.fetch, { stall });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

const connections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
