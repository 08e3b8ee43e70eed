import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createMcpHandler, McpServer, type Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveBareStdio } from "@modelcontextprotocol/server/stdio";
import { createSkillset } from "skillset";
import { createSkillsServer, serveHttp, serveStdio } from "skillset/mcp";
import { z } from "zod";

/** The implementation of `activate_skill`: ours, or a tool that only reads the SKILL.md. */
export const WAYS = {
  skillset: "skillset",
  "text-alone": "skillset, text alone",
  readFile: "bare, readFile",
  readFileSync: "bare, readFileSync",
} as const;
export type Way = keyof typeof WAYS;

/** The same three transports for all. */
export interface Serving {
  connect(transport: Transport): Promise<unknown>;
  stdio(): Promise<unknown>;
  http(): Promise<{ readonly url: string; readonly token: string }>;
}

export async function createServing(way: Way, folder: string): Promise<Serving> {
  if (way === "readFile") return bare(folder, (path) => readFile(path, "utf8"));
  if (way === "readFileSync") return bare(folder, (path) => readFileSync(path, "utf8"));
  const server = createSkillsServer(await createSkillset(folder), { structured: way === "skillset" });
  return {
    connect: (transport) => server.connect(transport),
    stdio: () => serveStdio(server),
    http: () => serveHttp(server),
  };
}

/** As short as the SDK allows: no session, and no checks of paths, hosts or tokens. */
function bare(folder: string, read: (path: string) => string | Promise<string>): Serving {
  const create = (): McpServer => {
    const server = new McpServer({ name: "bare", version: "1.0.0" });
    const config = { description: "Load the instructions of a skill.", inputSchema: z.object({ name: z.string() }) };
    server.registerTool("activate_skill", config, async ({ name }) => ({
      content: [{ type: "text", text: await read(join(folder, name, "SKILL.md")) }],
    }));
    return server;
  };
  return {
    connect: async (transport) => serveBareStdio(create, { transport }),
    stdio: async () => serveBareStdio(create, { transport: new StdioServerTransport() }),
    http: async () => {
      const { fetch } = createMcpHandler(create);
      const http = createServer((incoming, outgoing) => void answer(incoming, outgoing, fetch));
      await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
      return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, token: "none" };
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const { method = "GET", headers, url = "/" } = incoming;
  const body = method === "GET" ? null : Readable.toWeb(incoming);
  const init = { method, headers: headers as Record<string, string>, body, duplex: "half" } as RequestInit;
  const response = await fetch(new Request(new URL(url, "http://localhost"), init));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing);
}
