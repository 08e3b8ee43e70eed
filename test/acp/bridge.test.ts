import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { McpServerStdio } from "@agentclientprotocol/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type OpenBridge, openBridge } from "../../packages/skillset/src/acp/bridge/bridge.ts";
import { ToolServer } from "../../packages/skillset/src/acp/bridge/tool-server.ts";

const DEADLINE = { timeout: 30_000 };

describe.concurrent("the bridge over stdio", DEADLINE, () => {
  test.skipIf(!existsSync("/proc/self/cmdline"))("keeps its token out of its program's arguments", async () => {
    await using bridge = await openStdio();
    const child = bridge.start();
    await once(child, "spawn");
    const [arguments_, environment] = ["cmdline", "environ"].map((name) =>
      readFileSync(`/proc/${child.pid}/${name}`, "latin1"),
    );
    expect(arguments_).toContain("mcp-bridge");
    expect(arguments_).not.toContain(bridge.token);
    expect(environment).toContain(bridge.token);
  });

  test("stops its program when stdin closes", async () => {
    await using bridge = await openStdio();
    const child = bridge.start();
    await once(child, "spawn");
    child.stdin?.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("stops its program when it is closed", async () => {
    await using bridge = await openStdio();
    const child = bridge.start();
    child.stdin?.write(ping());
    await once(child.stdout as NonNullable<typeof child.stdout>, "data");
    await bridge.close();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("stops its program immediately when nobody listens", async () => {
    await using bridge = await openStdio();
    await bridge.close();
    expect(await once(bridge.start(), "exit")).toEqual([0, null]);
  });

  test.each([
    ["an empty token", ""],
    ["a wrong token", "wrong"],
    ["a wrong token of the right length", "A".repeat(43)],
    ["a non-ASCII token", "ü".repeat(43)],
  ])("rejects its program with %s, and the right one still works", async (_what, token) => {
    await using bridge = await openStdio();
    const child = bridge.start(token);
    child.stdin?.on("error", () => {}).write(ping());
    let answered = "";
    child.stdout?.on("data", (chunk) => {
      answered += chunk;
    });
    await once(child, "exit");
    expect(answered).toBe("");
    expect(await bridge.call()).toBe("looked");
  });

  test.each([
    ["1 MB without a line break", "x".repeat(1_000_000)],
    ["binary garbage", Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256))],
    ["an HTTP request", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n{}"],
    ["an MCP request before the token", ping()],
    ["an empty line", "\n"],
  ])("drops a connection that starts with %s, and the right one still works", async (_what, sent) => {
    await using bridge = await openStdio();
    const socket = await bridge.dial();
    socket.write(sent);
    expect(await readAll(socket)).toBe("");
    expect(await bridge.call()).toBe("looked");
  });

  test("accepts a token that arrives byte by byte, directly followed by a request", async () => {
    await using bridge = await openStdio();
    const socket = await bridge.dial();
    socket.setNoDelay(true);
    for (const byte of `${bridge.token}\n`) {
      socket.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    socket.write(ping());
    const [answer] = await once(socket, "data");
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: {} });
    socket.destroy();
  });

  test("accepts a message of 12 MB, and closes a connection with one of 20 MB instead of waiting forever", async () => {
    await using bridge = await openStdio();
    expect(await bridge.call({ text: "t".repeat(12_000_000) })).toBe("looked");
    const socket = await bridge.dial();
    socket.write(`${bridge.token}\n${"x".repeat(20_000_000)}`);
    expect(await readAll(socket)).toBe("");
    expect(await bridge.call()).toBe("looked");
  });

  test("closes open connections in any state", async () => {
    await using bridge = await openStdio();
    const silent = await bridge.dial();
    const served = await bridge.dial();
    served.write(`${bridge.token}\n${ping()}`);
    await once(served, "data");
    const ended = [readAll(silent), readAll(served)];
    await bridge.close();
    await Promise.all(ended);
  });
});

test("the bridge over stdio drops a silent connection after ten seconds", DEADLINE, async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await using bridge = await openStdio();
  const closed = readAll(await bridge.dial());
  // Until the other end has registered the connection.
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(10_000);
  expect(await closed).toBe("");
});

describe.concurrent("the bridge over HTTP", DEADLINE, () => {
  test.each([
    ["no token", {}],
    ["a wrong token", { authorization: `Bearer ${"A".repeat(43)}` }],
    ["an empty token", { authorization: "Bearer " }],
    ["another scheme", { authorization: "Basic QUFBQQ==" }],
  ])("answers 401 to a request with %s", async (_what, headers) => {
    const server = lookServer();
    const bridge = await openBridge("http", [server]);
    const [declaration] = bridge.declarations;
    const { url } = declaration as { url: string };
    expect(url).not.toContain("token");
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: ping(),
    });
    expect(answer.status).toBe(401);
    await bridge.close();
    await server.close();
  });
});

function ping(): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`;
}

function lookServer(): ToolServer {
  const execute = async () => ({ isError: false, text: "looked", data: {} }) as const;
  const inputSchema = { type: "object" };
  return new ToolServer("think", () => [
    { name: "look", title: "Look", description: "Looks.", inputSchema, isAvailable: () => true, execute },
  ]);
}

/** A bridge to one tool, and ways to connect to it. */
async function openStdio() {
  const server = lookServer();
  const bridge: OpenBridge = await openBridge("stdio", [server]);
  const { command, args, env } = bridge.declarations[0] as McpServerStdio;
  const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const { SKILLSET_BRIDGE_PORT: port, SKILLSET_BRIDGE_TOKEN: token = "" } = given;
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    await bridge.close();
    await server.close();
  };
  return {
    token,
    close,
    start: (other = token) => {
      const child = spawn(command, args, { env: { ...given, SKILLSET_BRIDGE_TOKEN: other }, stdio: "pipe" });
      children.push(child);
      return child;
    },
    /** Calls the tool as an agent does. */
    call: async (input: Record<string, unknown> = {}) => {
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(new StdioClientTransport({ command, args, env: given }));
      try {
        const { content } = await client.callTool({ name: "look", arguments: input });
        return content.map((part) => (part.type === "text" ? part.text : "")).join("");
      } finally {
        await client.close();
      }
    },
    dial: async () => {
      const socket = connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

/** Everything that is sent until the connection closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket
    .on("error", () => {})
    .on("data", (chunk) => {
      text += chunk;
    });
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}
