import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { connect as connectSocket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import {
  createSkillsServer,
  type ServeHttpOptions,
  type SkillsServer,
  serveHttp,
} from "../../packages/skillset/src/mcp/index.ts";
import { report } from "./report.ts";

const MEBIBYTE = 1024 * 1024;
/** A hang is a failure; nothing here measures speed. */
const DEADLINE = 20_000;

/** Starts a server with one tool that returns its input, sometimes later than the next call, and counts its calls. */
async function serve(): Promise<{ server: SkillsServer; calls: () => number }> {
  let calls = 0;
  const handler = async (input: unknown): Promise<unknown> => {
    if (++calls % 3 === 0) await sleep(calls % 5);
    return input;
  };
  const tools = [{ name: "echo", description: "Returns its input.", handler }];
  const skills = await createSkillset([defineSkill({ name: "box", description: "Has a tool.", body: "# Box", tools })]);
  const server = createSkillsServer(skills);
  onTestFinished(() => server.close());
  return { server, calls: () => calls };
}

async function listen(options: Omit<ServeHttpOptions, "oauth"> = {}) {
  const { server, calls } = await serve();
  const listener = await serveHttp(server, options);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  onTestFinished(async () => {
    agent.destroy();
    await listener.close();
  });
  const { port } = new URL(listener.url);
  return { ...listener, port, agent, calls };
}

type Listener = Awaited<ReturnType<typeof listen>>;

function callOf(input: unknown): string {
  const params = { name: "call_skill_tool", arguments: { skill: "box", tool: "echo", input } };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

interface Attempt {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** Returns a request that is valid except for these values. */
function send({ port, token, agent }: Listener, attempt: Attempt = {}): Promise<{ status: number; text: string }> {
  const { method = "POST", path = "/mcp", body = callOf(1) } = attempt;
  const content = method === "POST" || method === "PUT" ? body : "";
  const headers = Object.entries({
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(content),
    accept: "application/json, text/event-stream",
    ...attempt.headers,
  }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, agent, timeout: DEADLINE, setHost: false };
    const outgoing = request({ ...options, headers: Object.fromEntries(headers) }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.on("timeout", () => outgoing.destroy(new Error("the request hangs")));
    outgoing.end(content);
  });
}

type Choice<Value> = readonly (readonly [value: Value, isRight: boolean])[];

test("of all combinations of Host, Origin, token, path and request, only completely valid ones are answered", {
  timeout: 300_000,
}, async () => {
  const listener = await listen();
  const { port, token } = listener;
  const hosts: Choice<string | undefined> = [
    [`127.0.0.1:${port}`, true],
    [`localhost:${port}`, true],
    [`evil.example:${port}`, false],
    [`127.0.0.1.evil.example`, false],
    ["localhost.", false],
    [undefined, false],
  ];
  const origins: Choice<string | undefined> = [
    [undefined, true],
    ["http://localhost:3000", true],
    ["https://evil.example", false],
    ["http://localhost.evil.example", false],
    ["null", false],
    ["nonsense", false],
  ];
  const tokens: Choice<string | undefined> = [
    [`Bearer ${token}`, true],
    [undefined, false],
    ["Bearer ", false],
    [`Bearer ${token.slice(0, -1)}`, false],
    [`Bearer ${token}${token}`, false],
    [`Basic ${token}`, false],
    [token, false],
  ];
  const paths: Choice<string> = [
    ["/mcp", true],
    ["/", false],
    ["/mcp/", false],
    ["/%6dcp", false],
  ];
  const requests: Choice<Attempt> = [
    [{}, true],
    [{ method: "GET" }, false],
    [{ method: "DELETE" }, false],
    [{ headers: { "content-type": "text/plain" } }, false],
    [{ body: "{" }, false],
  ];
  const attempts = hosts.flatMap(([host, hostIsRight]) =>
    origins.flatMap(([origin, originIsRight]) =>
      tokens.flatMap(([authorization, tokenIsRight]) =>
        paths.flatMap(([path, pathIsRight]) =>
          requests.map(([attempt, requestIsRight]) => ({
            attempt: { ...attempt, path, headers: { ...attempt.headers, host, origin, authorization } },
            isRight: hostIsRight && originIsRight && tokenIsRight && pathIsRight && requestIsRight,
          })),
        ),
      ),
    ),
  );
  expect(attempts.length).toBeGreaterThan(200);
  let through = 0;
  const right = attempts.filter(({ isRight }) => isRight).length;
  for (let start = 0; start < attempts.length; start += 20) {
    await Promise.all(
      attempts.slice(start, start + 20).map(async ({ attempt, isRight }) => {
        const { status } = await send(listener, attempt);
        if ((status === 200) !== isRight) through++;
        expect(status === 200, JSON.stringify(attempt)).toBe(isRight);
        expect(status).toBeLessThan(500);
      }),
    );
  }
  expect(listener.calls()).toBe(right);
  expect((await send(listener)).status).toBe(200);
  report("S13", {
    tried: "combinations of Host, Origin, token, path and request",
    cases: attempts.length,
    through,
    note: `the ${right} valid ones are answered`,
  });
});

describe("a request body", () => {
  test.each([
    ["with its length", {}],
    ["in chunks", { "content-length": undefined, "transfer-encoding": "chunked" }],
  ])("over 1 MiB, sent %s, is refused with 413, and the next call on the connection works", async (_, headers) => {
    const listener = await listen();
    listener.agent.maxSockets = 1;
    const room = MEBIBYTE - callOf("").length;
    for (const [excess, status] of [
      [0, 200],
      [1, 413],
      [MEBIBYTE, 413],
      [20 * MEBIBYTE, 413],
    ] as const) {
      const body = callOf("x".repeat(room + excess));
      expect((await send(listener, { headers, body })).status).toBe(status);
      expect((await send(listener)).status).toBe(200);
    }
  });

  test("of a refused request does not block the next request", async () => {
    const listener = await listen();
    listener.agent.maxSockets = 1;
    for (const headers of [{ authorization: "Bearer wrong" }, { host: "evil.example" }, { origin: "null" }]) {
      const { status } = await send(listener, { headers, body: "x".repeat(5 * MEBIBYTE) });
      expect([401, 403]).toContain(status);
      expect((await send(listener)).status).toBe(200);
    }
  });

  const malformed: Readonly<Record<string, string | Uint8Array>> = {
    nothing: "",
    "half an object": "{",
    "no object": "1",
    null: "null",
    "an empty object": "{}",
    "an empty batch": "[]",
    "a batch of nonsense": "[1,null,{}]",
    "another version of JSON-RPC": callOf(1).replace("2.0", "1.0"),
    "an id that is an object": callOf(1).replace('"id":1', '"id":{}'),
    "text after the message": `${callOf(1)}x`,
    "invalid UTF-8": new Uint8Array([0xff, 0xfe, 0x7b]),
    "100,000 open brackets": "[".repeat(100_000),
    "100,000 open objects": '{"a":'.repeat(100_000),
  };
  test.each(Object.entries(malformed))("that is %s is refused with 400, and the next call works", async (_, body) => {
    const listener = await listen();
    const { status, text } = await send(listener, { body });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
    expect(listener.calls()).toBe(0);
    expect((await send(listener)).status).toBe(200);
  });

  test("that is a batch is answered call by call", async () => {
    const listener = await listen();
    const body = `[${callOf("one")},${callOf("two").replace('"id":1', '"id":2')}]`;
    const { status, text } = await send(listener, { body });
    expect(status).toBe(200);
    expect(text.match(/"result":"(?:one|two)"/g)).toHaveLength(2);
  });

  test.each(["text/plain", "application/xml", "application/jsonx", "multipart/form-data; boundary=x", ""])(
    "of type '%s' is refused with 415",
    async (type) => {
      const listener = await listen();
      expect((await send(listener, { headers: { "content-type": type } })).status).toBe(415);
      expect(listener.calls()).toBe(0);
    },
  );
});

test("a connection is closed on the client's request, and the next one is served", async () => {
  const listener = await listen();
  for (let round = 0; round < 6; round++) {
    const { status } = await send(listener, round % 2 === 0 ? { headers: { connection: "close" } } : {});
    expect(status).toBe(200);
  }
});

describe("a connection that is held open", () => {
  const starts: Readonly<Record<string, (token: string) => readonly [start: string, drip: string]>> = {
    "without a word": () => ["", ""],
    "with headers that never end": () => ["POST /mcp HTTP/1.1\r\nHost: localhost\r\n", "X-More: y\r\n"],
    "with a body that never ends": (token) => [
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n`,
      " ",
    ],
    "after an answer": () => ["GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n", ""],
  };

  test.each(Object.entries(starts))("%s is closed, and other connections are served meanwhile", async (_, startOf) => {
    const listener = await listen({ idleTimeout: 300 });
    const [start, drip] = startOf(listener.token);
    const socket = connectSocket(Number(listener.port), "127.0.0.1");
    const closed = new Promise<"closed">((resolve) => socket.once("close", () => resolve("closed")));
    socket.on("error", () => {}).resume();
    socket.write(start);
    const dripping = setInterval(() => drip !== "" && socket.writable && socket.write(drip), 50);
    onTestFinished(() => {
      clearInterval(dripping);
      socket.destroy();
    });
    // On separate connections: a kept-alive one could be closed just before it is used again.
    const alone = { headers: { connection: "close" } };
    expect((await send(listener, alone)).status).toBe(200);
    expect(await Promise.race([closed, sleep(DEADLINE, "still open", { ref: false })])).toBe("closed");
    expect((await send(listener, alone)).status).toBe(200);
  });
});

describe("sessions are never crossed", () => {
  const CASES = Number(process.env.CASES ?? 0);
  const [CLIENTS, CALLS] = CASES === 0 ? [20, 10] : [50, Math.min(1_000, Math.ceil(CASES / 100))];

  /** Every client makes its calls, two at a time, and checks that each reply is its own. */
  async function callAll(clients: readonly Client[], how: string): Promise<void> {
    let [replies, crossed] = [0, 0];
    await Promise.all(
      clients.map(async (client, id) => {
        for (let start = 0; start < CALLS; start += 2) {
          const numbers = Array.from({ length: Math.min(2, CALLS - start) }, (_, index) => start + index);
          const results = await Promise.all(
            numbers.map((number) =>
              client.callTool({
                name: "call_skill_tool",
                arguments: { skill: "box", tool: "echo", input: { id, number } },
              }),
            ),
          );
          for (const [index, { structuredContent }] of results.entries()) {
            replies++;
            const expected = { skill: "box", tool: "echo", result: { id, number: numbers[index] } };
            if (JSON.stringify(structuredContent) !== JSON.stringify(expected)) crossed++;
          }
        }
      }),
    );
    const cases = CLIENTS * CALLS;
    report("S13", {
      tried: `calls of ${CLIENTS} clients ${how}`,
      cases,
      through: crossed + cases - replies,
    });
    expect({ replies, crossed }).toEqual({ replies: cases, crossed: 0 });
  }

  const createClient = (index: number): Client => {
    const mode = index % 2 === 0 ? "legacy" : "auto";
    const client = new Client({ name: `client-${index}`, version: "1.0.0" }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    return client;
  };

  test("over HTTP", { timeout: 600_000 }, async () => {
    const { url, token, calls } = await listen();
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const client = createClient(index);
        const requestInit = { headers: { authorization: `Bearer ${token}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
        return client;
      }),
    );
    await callAll(clients, "over HTTP");
    expect(calls()).toBe(CLIENTS * CALLS);
  });

  test("over several connections of one process", { timeout: 600_000 }, async () => {
    const { server, calls } = await serve();
    const connected = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const client = createClient(index);
        const [near, far] = InMemoryTransport.createLinkedPair();
        const connection = await server.connect(far);
        await client.connect(near);
        return { client, connection };
      }),
    );
    await callAll(
      connected.map(({ client }) => client),
      "over connections",
    );
    expect(calls()).toBe(CLIENTS * CALLS);
    for (const { connection } of connected) {
      const its = connection.session.ledger.entries.filter(({ type }) => type === "tool-called");
      expect(its).toHaveLength(CALLS);
    }
  });
});
