import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { STDIO, says, serveEcho, start } from "../../../../test/acp/start-agent.ts";
import { isAlive } from "../../../../test/processes.ts";
import type { ScriptStep } from "../model/script.ts";
import { startScriptedAgent } from "./scripted-agent.ts";

test("a server over stdio gets the session's environment and folder", async () => {
  const { open, scripted } = await start([{ call: "process" }, { say: "Done." }]);
  await (await open(STDIO)).prompt("Go");
  expect(JSON.parse(scripted.requests[1]?.toolResults[0]?.text ?? "")).toMatchObject({ cwd: tmpdir(), colour: "teal" });
});

test("a tool that a server adds is available from then on", async () => {
  const { open, scripted } = await start([{ call: "grow", input: { text: "new" } }, { call: "new" }, { say: "Done." }]);
  await (await open(STDIO)).prompt("Go");
  expect(scripted.requests[2]?.toolResults.map(({ text }) => text)).toEqual(["Grown.", "new it is"]);
  expect(scripted.faults).toEqual([]);
});

describe("MCP servers", () => {
  test.each([
    ["both", true],
    ["http", true],
    ["stdio", false],
    ["none", false],
  ] as const)("with mcp '%s', HTTP support is %s", async (mcp, http) => {
    const { initialized } = await start([], { mcp });
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "skillset-test-agent" },
      agentCapabilities: { mcpCapabilities: { http }, sessionCapabilities: { close: {} } },
    });
  });

  test("with an unsupported transport are refused", async () => {
    const { open } = await start([], { mcp: "stdio" });
    await expect(open(await serveEcho())).rejects.toMatchObject({ code: -32602, data: { mcpServer: "web" } });
    const other = await start([], { mcp: "http" });
    await expect(other.open(STDIO)).rejects.toMatchObject({ code: -32602, data: { mcpServer: "child" } });
  });

  test("are silently dropped by an agent with mcp 'none'", async () => {
    const { open, scripted, updates } = await start([{ say: "No tools." }], { mcp: "none" });
    expect(await (await open(await serveEcho(), STDIO)).prompt("Go")).toEqual({ stopReason: "end_turn" });
    expect(scripted.requests[0]?.tools).toEqual([]);
    expect(says(updates)).toEqual(["No tools."]);
  });

  test("that are unreachable, or reject the header, fail session/new", async () => {
    const { open } = await start([]);
    const missing = { ...STDIO, command: "/no/such/program" };
    await expect(open(missing)).rejects.toThrow(/'child' cannot be reached: .*ENOENT/);
    await expect(open({ ...(await serveEcho()), headers: [] })).rejects.toThrow(/'web' cannot be reached/);
  });

  test("are asked for their tools before session/new is answered, and again for each prompt", async () => {
    const asked: string[] = [];
    const { open } = await start([{ say: "1" }, { say: "2" }]);
    const session = await open(await serveEcho({}, (method) => asked.push(method)));
    expect(asked.splice(0)).toEqual(["initialize", "notifications/initialized", "tools/list"]);
    await session.prompt("Go");
    await session.prompt("Again");
    expect(asked).toEqual(["tools/list", "tools/list"]);
  });

  test("are connected at the first prompt with connects 'prompt'", async () => {
    const { open, scripted } = await start([{ call: "echo" }, { say: "Done." }], { connects: "prompt" });
    const session = await open(STDIO, { ...STDIO, name: "second", args: ["--eval", ""] });
    await expect(session.prompt("Go")).rejects.toThrow(/'second' cannot be reached/);
    await (await open(STDIO)).prompt("Go");
    expect(scripted.requests[1]?.toolResults).toMatchObject([{ text: "echo: " }]);
  });

  test("that connect late have no tools until then", async () => {
    const { open, scripted } = await start([{ say: "1" }, { say: "2" }], { connects: 200 });
    const session = await open(await serveEcho());
    await session.prompt("Go");
    expect(scripted.requests[0]?.tools).toEqual([]);
    await vi.waitFor(async () => {
      await session.prompt("Again");
      expect(scripted.requests.at(-1)?.tools).toContain("mcp__web__echo");
    });
  });
});

describe("closing", () => {
  const script: ScriptStep[] = [{ call: "process" }, { say: "Done." }];

  /** Returns an agent that has started a server, and the server's process. */
  async function startWithChild() {
    const started = await start(script);
    const session = await started.open(STDIO);
    await session.prompt("Go");
    const { pid } = JSON.parse(started.scripted.requests[1]?.toolResults[0]?.text ?? "");
    expect(isAlive(pid)).toBe(true);
    return { ...started, session, pid };
  }

  test("a session ends its servers, and closing again does nothing", async () => {
    const { session, pid } = await startWithChild();
    await session.close();
    expect(isAlive(pid)).toBe(false);
    await session.close();
    await expect(session.prompt("Go")).rejects.toMatchObject({ code: -32002 });
  });

  test("a connection ends the servers of its sessions", async () => {
    const { connection, pid } = await startWithChild();
    connection.close();
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
  });

  test("the agent ends its servers and connections, and closing again does nothing", async () => {
    const { scripted, connection, pid } = await startWithChild();
    await scripted.close();
    expect(isAlive(pid)).toBe(false);
    await connection.closed;
    await scripted.close();
  });

  test("the agent ends a running turn", async () => {
    const { scripted, open } = await start([{ hang: true }]);
    const turn = (await open()).prompt("Go").catch(() => "closed");
    await vi.waitFor(() => expect(scripted.requests).toHaveLength(1));
    await scripted.close();
    expect([{ stopReason: "cancelled" }, "closed"]).toContainEqual(await turn);
  });

  test("also happens when the signal is aborted", async () => {
    const controller = new AbortController();
    const { connection } = await start([], { signal: controller.signal });
    controller.abort();
    await connection.closed;
    await expect(startScriptedAgent([], { signal: controller.signal })).rejects.toThrow(/aborted/);
  });

  test("lets the program exit", () => {
    const program = `
      import { client } from "@agentclientprotocol/sdk";
      import { startScriptedAgent } from ${JSON.stringify(new URL("./scripted-agent.ts", import.meta.url).href)};
      await using scripted = await startScriptedAgent([{ call: "echo" }, { say: "Done." }]);
      const { agent } = client()
        .onNotification("session/update", () => {})
        .onRequest("session/request_permission", () => ({ outcome: { outcome: "selected", optionId: "allow-once" } }))
        .connect(scripted.app);
      await agent.request("initialize", { protocolVersion: 1 });
      const server = ${JSON.stringify(STDIO)};
      const { sessionId } = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [server] });
      const prompt = [{ type: "text", text: "Go" }];
      console.log((await agent.request("session/prompt", { sessionId, prompt })).stopReason);
    `;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      encoding: "utf8",
      timeout: 30_000,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "end_turn\n", stderr: "" });
  });
});
