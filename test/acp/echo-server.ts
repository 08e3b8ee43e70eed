// A small MCP server: a function for tests that serve it over HTTP, and a program that serves it over stdio.
import { writeFileSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

export interface EchoServerOptions {
  /** Additional tools that echo. */
  readonly also?: readonly string[];
}

/**
 * Its tools echo, fail, hang until cancelled (and write their progress to the file `text`), report the process and add
 * tools.
 */
export function echoServer({ also = [] }: EchoServerOptions = {}): McpServer {
  const server = new McpServer({ name: "echo", version: "1.0.0" }, { instructions: "Echoes what it is told." });
  const inputSchema = fromJsonSchema<{ text?: string }>({
    type: "object",
    properties: { text: { type: "string" } },
  });
  for (const name of ["echo", ...also]) {
    server.registerTool(name, { description: "Echoes.", inputSchema }, ({ text = "" }) => answer(`${name}: ${text}`));
  }
  server.registerTool("fail", { description: "Fails.", inputSchema }, () => ({ ...answer("No luck."), isError: true }));
  server.registerTool("hang", { description: "Hangs.", inputSchema }, async ({ text = "" }, context) => {
    const note = (word: string) => text === "" || writeFileSync(text, word);
    note("called");
    await new Promise((resolve) => context.mcpReq.signal.addEventListener("abort", resolve));
    note("cancelled");
    return answer("Cancelled.");
  });
  server.registerTool("process", { description: "Reports its process.", inputSchema }, () => {
    return answer(JSON.stringify({ pid: process.pid, cwd: process.cwd(), colour: process.env.COLOUR }));
  });
  server.registerTool("grow", { description: "Adds a tool.", inputSchema }, ({ text = "grown" }) => {
    server.registerTool(text, { description: "Echoes.", inputSchema }, () => answer(`${text} it is`));
    return answer("Grown.");
  });
  return server;
}

function answer(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

if (import.meta.main) await echoServer().connect(new StdioServerTransport());
