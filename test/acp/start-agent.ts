import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import {
  type AgentApp,
  client,
  type McpServer,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { serveHttp } from "../../packages/skillset/src/mcp/transport/serve-http.ts";
import { type ScriptedAgentOptions, startScriptedAgent } from "../../packages/testing/src/agent/scripted-agent.ts";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import { type EchoServerOptions, echoServer } from "./echo-server.ts";

/** The small MCP server over stdio. */
export const STDIO: McpServer = {
  name: "child",
  command: process.execPath,
  args: [fileURLToPath(new URL("./echo-server.ts", import.meta.url))],
  env: [{ name: "COLOUR", value: "teal" }],
};

/** The small MCP server over HTTP with a bearer token; `onAsked` is called with each requested method. */
export async function serveEcho(options: EchoServerOptions = {}, onAsked: (method: string) => void = () => {}) {
  const handler = createMcpHandler(() => echoServer(options));
  const fetch = async (request: Request) => {
    if (request.method === "POST") onAsked(((await request.clone().json()) as { method: string }).method);
    return handler.fetch(request);
  };
  const { url, token, close } = await serveHttp({ fetch });
  onTestFinished(async () => {
    await handler.close();
    await close();
  });
  const headers = [{ name: "Authorization", value: `Bearer ${token}` }];
  return { type: "http", name: "web", url, headers } as const satisfies McpServer;
}

type Decide = (request: RequestPermissionRequest) => string | Promise<string>;

/** A client that records updates; permissions are granted by default. */
async function connect(app: AgentApp, decide: Decide = () => "allow-once") {
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const connection = client()
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", async ({ params }) => {
      asked.push(params);
      const optionId = await decide(params);
      return { outcome: optionId === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    })
    .connect(app);
  onTestFinished(() => connection.close());
  const { agent } = connection;
  const initialized = await agent.request("initialize", { protocolVersion: 1 });
  return {
    connection,
    agent,
    initialized,
    updates,
    asked,
    open: async (...mcpServers: McpServer[]) => {
      const { sessionId } = await agent.request("session/new", { cwd: tmpdir(), mcpServers });
      return {
        sessionId,
        prompt: (text: string) => agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
        cancel: () => agent.notify("session/cancel", { sessionId }),
        close: () => agent.request("session/close", { sessionId }),
      };
    },
  };
}

/** A scripted agent, and a connected client. */
export async function start(script: readonly ScriptStep[], options: ScriptedAgentOptions = {}, decide?: Decide) {
  const scripted = await startScriptedAgent(script, options);
  onTestFinished(() => scripted.close());
  return { scripted, ...(await connect(scripted.app, decide)) };
}

/** The agent's message chunks. */
export function says(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((one) => {
    return one.sessionUpdate === "agent_message_chunk" && one.content.type === "text" ? [one.content.text] : [];
  });
}
