import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { OPERATION_IDS } from "../../../packages/skillset/src/core/operations/all.ts";
import { createSkillsServer, type SkillsServer, serveHttp } from "../../../packages/skillset/src/mcp/index.ts";
import { openSkills, type PlayedResult, type Surface } from "./surface.ts";

/** Versions of the protocol, as the SDK names them. */
type Era = "legacy" | "modern";

/** Connects a server, and returns the client's transport and what closes the connection besides the client. */
type Connect = (server: SkillsServer) => Promise<{ readonly transport: Transport; close?(): Promise<void> }>;

/** The server, over each transport and in each version of the protocol that the transport has. */
export const MCP = {
  "MCP, stdio, 2025": mcpSurface("legacy", overPipes),
  "MCP, stdio, 2026": mcpSurface("modern", overPipes),
  "MCP, HTTP, 2025": { ...mcpSurface("legacy", overHttp), isStateless: true },
  "MCP, HTTP, 2026": { ...mcpSurface("modern", overHttp), isStateless: true },
  // The newer protocol has no sessions.
  "MCP, HTTP with a session, 2025": mcpSurface("legacy", overSession),
};

function mcpSurface(era: Era, connect: Connect): Surface {
  return {
    refusal: /There is no tool 'run_skill_script'\.$/,
    isStructured: true,
    play: async (world) => {
      const { telemetry, events, calls } = world;
      const operations = { include: OPERATION_IDS };
      const server = createSkillsServer(await openSkills(world), { operations, telemetry, allowScripts: ["tea"] });
      const { transport, close } = await connect(server);
      const versionNegotiation = { mode: era === "legacy" ? ("legacy" as const) : ("auto" as const) };
      const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation });
      try {
        await client.connect(transport);
        if (client.getProtocolEra() !== era) throw new Error(`The client speaks '${client.getProtocolEra()}'.`);
        const { tools } = await client.listTools();
        const results: PlayedResult[] = [];
        for (const { id, input } of calls) results.push(await callTool(client, id, input));
        return { tools: tools.map(({ name }) => name), results, events };
      } finally {
        await client.close();
        await close?.();
        await server.close();
      }
    },
  };
}

/** Calls a tool, and returns what a client's model gets. */
export async function callTool(
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<PlayedResult> {
  try {
    const { content, structuredContent } = await client.callTool({ name, arguments: { ...input } });
    const [first, ...files] = content;
    return { text: first?.type === "text" ? first.text : "", data: structuredContent, files: files.length };
  } catch (error) {
    return { text: (error as Error).message };
  }
}

/** The stdio transport, over pipes within this process. */
async function overPipes(server: SkillsServer) {
  const [up, down] = [new PassThrough(), new PassThrough()];
  await server.connect(new StdioServerTransport(up, down), { showDirectory: true });
  // The transport is the same on both sides.
  return { transport: new StdioServerTransport(down, up) };
}

async function overHttp(server: SkillsServer) {
  const { url, token, close } = await serveHttp(server);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return { transport: new StreamableHTTPClientTransport(new URL(url), { requestInit }), close };
}

/** A host that connects the SDK's own transport has one session for each client. */
async function overSession(server: SkillsServer) {
  const served = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => "session" });
  await server.connect(served);
  const fetch = (url: URL | string, init?: RequestInit) => served.handleRequest(new Request(url, init));
  return { transport: new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }) };
}
