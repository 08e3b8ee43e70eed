import { createMcpHandler, type McpHttpHandler, McpServer, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LIMITS } from "../../core/base/limits.ts";
import { VERSION } from "../../core/base/version.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { serveTools } from "../../mcp/tools/serve-tools.ts";

/** An MCP server for one agent. Its tools may change, and it records whether the agent has listed them. */
export class ToolServer {
  readonly name: string;
  readonly #offered: () => readonly ModelTool[];
  readonly #handler: McpHttpHandler;
  readonly #connections = new Set<{ close(): Promise<void> }>();
  readonly #listed = Promise.withResolvers<void>();

  constructor(name: string, offered: () => readonly ModelTool[]) {
    this.name = name;
    this.#offered = offered;
    this.#handler = createMcpHandler(() => this.#createServer(), { maxRequestBodySize: LIMITS.hard.request });
  }

  /** Resolves when the agent has listed the tools. */
  get listed(): Promise<void> {
    return this.#listed.promise;
  }

  readonly fetch = (request: Request): Promise<Response> => this.#handler.fetch(request);

  /** Serves one more connection until either side closes it, then calls `ended`. */
  connect(transport: Transport, ended: () => void): void {
    const connection = serveStdio(() => this.#createServer(), { transport });
    this.#connections.add(connection);
    const { onclose } = transport;
    transport.onclose = () => {
      this.#connections.delete(connection);
      onclose?.();
      ended();
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    await this.#handler.close();
  }

  #createServer(): McpServer {
    const mcp = new McpServer({ name: this.name, version: VERSION });
    const listed = (tools: readonly ModelTool[]): readonly ModelTool[] => {
      this.#listed.resolve();
      return tools;
    };
    // Return text only: some agents show their model just the structured content, as one escaped string.
    serveTools(mcp, this.#offered, { structured: false, listed });
    return mcp;
  }
}
