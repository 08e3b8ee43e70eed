import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import express from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer } from "../server/skills-server.ts";
import { toNodeHandler } from "./to-node-handler.ts";

type Handler = ReturnType<typeof toNodeHandler>;

async function listen(toApp: (handler: Handler) => RequestListener, run: (signal: AbortSignal) => unknown = () => "é") {
  const tools = [
    { name: "run", description: "Runs", handler: (_: unknown, { signal }: { signal: AbortSignal }) => run(signal) },
  ];
  const skills = await createSkillset([defineSkill({ name: "box", description: "Has a tool.", body: "# Box", tools })]);
  const server = createSkillsServer(skills);
  const http = createServer(toApp(toNodeHandler(server)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    await server.close();
  });
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
}

const called = { name: "call_skill_tool", arguments: { skill: "box", tool: "run", input: {} } };

test.each([
  ["node:http", (handler: Handler) => handler],
  ["Express", (handler: Handler) => express().all("/mcp", handler)],
  ["Express in a router", (handler: Handler) => express().use("/mcp", express.Router().use(handler))],
  ["Express after express.json()", (handler: Handler) => express().use(express.json()).all("/mcp", handler)],
  [
    "Express after express.text()",
    (handler: Handler) =>
      express()
        .use(express.text({ type: "*/*" }))
        .all("/mcp", handler),
  ],
  [
    "Express after express.raw()",
    (handler: Handler) =>
      express()
        .use(express.raw({ type: "*/*" }))
        .all("/mcp", handler),
  ],
] as const)("a client is served by %s", async (_, toApp) => {
  const url = await listen(toApp);
  for (const mode of ["legacy", "auto"] as const) {
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    expect((await client.callTool(called)).content).toEqual([{ type: "text", text: "é" }]);
    await client.close();
  }
});

test("a request whose connection breaks is cancelled", async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const url = await listen(
    (handler) => express().use(express.json()).all("/mcp", handler),
    (signal) => {
      started.resolve(signal);
      return new Promise(() => {});
    },
  );
  const controller = new AbortController();
  const answer = fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: called }),
    signal: controller.signal,
  }).then((response) => response.text());
  const signal = await started.promise;
  expect(signal.aborted).toBe(false);
  controller.abort();
  await expect(answer).rejects.toThrow();
  await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 10_000 });
});
