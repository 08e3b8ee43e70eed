import { type McpServer, RequestError } from "@agentclientprotocol/sdk";
import type { CallToolResult, Client, Transport } from "@modelcontextprotocol/client";
import type { JsonObject } from "../wire/json.ts";

/** How the agent names itself, to clients and to MCP servers. */
export const AGENT_INFO = { name: "skillset-test-agent", title: "Test agent", version: "1.0.0" };

/** A tool of an MCP server, as the model receives it. */
export interface AgentTool {
  /** `mcp__<server>__<tool>`. */
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  call(input: JsonObject, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

interface ConnectedServer {
  readonly server: string;
  readonly client: Client;
}

/** The MCP servers of one session, connected once and closed together. */
export class AgentServers {
  readonly #servers: readonly McpServer[];
  readonly #cwd: string;
  readonly #clients: ConnectedServer[] = [];
  #connecting: Promise<void> | undefined;
  #tools: readonly AgentTool[] | undefined;

  constructor(servers: readonly McpServer[], cwd: string) {
    this.#servers = servers;
    this.#cwd = cwd;
  }

  /** Connects to all servers, or rejects with the name of the unreachable one. */
  connect(signal: AbortSignal): Promise<void> {
    this.#connecting ??= this.#connectAll(signal);
    return this.#connecting;
  }

  /** The servers' instructions, which agents add to the system prompt. */
  get instructions(): string {
    return this.#clients
      .map(({ client }) => client.getInstructions())
      .filter(Boolean)
      .join("\n\n");
  }

  /** Returns all tools. Lists them again after a server reported a change, or with `refresh`. */
  async tools({ refresh, signal }: { readonly refresh: boolean; readonly signal: AbortSignal }) {
    if (refresh) this.#tools = undefined;
    if (this.#tools !== undefined) return this.#tools;
    const lists = await Promise.all(this.#clients.map(({ server, client }) => toolsOf(server, client, signal)));
    this.#tools = lists.flat();
    return this.#tools;
  }

  async close(): Promise<void> {
    // A client that is still connecting joins the list only when it is connected.
    await this.#connecting?.catch(() => {});
    await Promise.all(this.#clients.splice(0).map(({ client }) => client.close()));
  }

  /** Waits for all connections, even if one fails, so that none opens after `close`. */
  async #connectAll(signal: AbortSignal): Promise<void> {
    const all = await Promise.allSettled(this.#servers.map((server) => this.#connectTo(server, signal)));
    for (const one of all) if (one.status === "fulfilled") this.#clients.push(one.value);
    for (const one of all) if (one.status === "rejected") throw one.reason;
    // Immediately, as agents do, so that the server sees that the agent has its tools.
    await this.tools({ refresh: true, signal });
  }

  async #connectTo(server: McpServer, signal: AbortSignal): Promise<ConnectedServer> {
    const { Client } = await import("@modelcontextprotocol/client");
    const client = new Client(AGENT_INFO);
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#tools = undefined;
    });
    try {
      await client.connect(await transportTo(server, this.#cwd), { signal });
    } catch (error) {
      await client.close();
      signal.throwIfAborted();
      const reason = (error as Error).message;
      throw RequestError.internalError({}, `The MCP server '${server.name}' cannot be reached: ${reason}`);
    }
    return { server: server.name, client };
  }
}

async function transportTo(server: McpServer, cwd: string): Promise<Transport> {
  if ("type" in server) {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const headers = server.headers.map(({ name, value }): [string, string] => [name, value]);
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  return new StdioClientTransport({ command: server.command, args: server.args, env, cwd });
}

async function toolsOf(server: string, client: Client, signal: AbortSignal): Promise<readonly AgentTool[]> {
  const { tools } = await client.listTools({}, { signal, cacheMode: "refresh" });
  return tools.map(({ name, description, inputSchema }) => ({
    name: `mcp__${server}__${name}`,
    description,
    inputSchema,
    call: async (input, signal) => outcomeOf(await client.callTool({ name, arguments: { ...input } }, { signal })),
  }));
}

/** Content other than text is replaced by its type, because the scripted models read only text. */
function outcomeOf({ content, isError = false }: CallToolResult): ToolOutcome {
  return { text: content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n"), isError };
}
