import {
  type AgentApp,
  type AgentConnection,
  agent,
  type McpServer,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { AGENT_INFO } from "./agent-servers.ts";
import { AgentSession } from "./agent-session.ts";

export interface ModelAgentOptions {
  /**
   * MCP transports that the agent declares and accepts. It rejects sessions with other servers. With `none` it declares no
   * transport and silently drops all servers, as some agents do.
   * @default "both"
   */
  readonly mcp?: "both" | "http" | "stdio" | "none";
  /**
   * When the agent connects to the MCP servers: before it answers `session/new`, at the first prompt, or this many
   * milliseconds after `session/new`. Earlier prompts are answered without the servers' tools.
   * @default "session"
   */
  readonly connects?: "session" | "prompt" | number;
  /**
   * Whether the agent asks for permission before each tool call, as Claude Code does.
   * @default true
   */
  readonly asksPermission?: boolean;
  /**
   * Names of tools that the model gets instead of MCP tools. The agent announces calls to them in updates and ends the turn;
   * the next prompt continues the script.
   */
  readonly announces?: readonly string[];
}

/** Creates an ACP agent over any model at an OpenAI-compatible URL, to which `/v1/chat/completions` is added. */
export function createModelAgent(modelUrl: string, options: ModelAgentOptions = {}): AgentApp {
  return new ModelAgent(modelUrl, options).app;
}

/** The agent, which can be closed before its connections end. */
export class ModelAgent {
  readonly app: AgentApp;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #connections = new Set<AgentConnection>();
  readonly #modelUrl: string;
  readonly #options: ModelAgentOptions;

  constructor(modelUrl: string, options: ModelAgentOptions) {
    this.#modelUrl = modelUrl;
    this.#options = options;
    const { mcp = "both" } = options;
    this.app = agent({ name: AGENT_INFO.name })
      .onConnect((connection) => this.#follow(connection))
      .onRequest("initialize", () => ({
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: AGENT_INFO,
        agentCapabilities: {
          mcpCapabilities: { http: mcp === "both" || mcp === "http" },
          sessionCapabilities: { close: {} },
        },
      }))
      .onRequest("session/new", async ({ params, signal }) => ({ sessionId: await this.#open(params, signal) }))
      .onRequest("session/prompt", async ({ params, client, signal }) => ({
        stopReason: await this.#find(params.sessionId).prompt(params, client, signal),
      }))
      .onNotification("session/cancel", ({ params }) => this.#sessions.get(params.sessionId)?.cancel())
      .onRequest("session/close", async ({ params: { sessionId } }) => {
        const session = this.#find(sessionId);
        this.#sessions.delete(sessionId);
        await session.close();
      });
  }

  async close(): Promise<void> {
    await this.#closeSessions();
    for (const connection of this.#connections) connection.close();
  }

  /** A handler does not know which connection it serves, so sessions stay open until the last connection ends. */
  #follow(connection: AgentConnection): void {
    this.#connections.add(connection);
    void connection.closed.then(async () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) await this.#closeSessions();
    });
  }

  async #open({ cwd, mcpServers }: NewSessionRequest, signal: AbortSignal): Promise<string> {
    const { connects = "session", asksPermission = true, announces } = this.#options;
    const session = new AgentSession({
      modelUrl: this.#modelUrl,
      cwd,
      mcpServers: this.#taken(mcpServers),
      connects,
      asksPermission,
      announces,
    });
    this.#sessions.set(session.id, session);
    try {
      await session.open(signal);
    } catch (error) {
      this.#sessions.delete(session.id);
      await session.close();
      throw error;
    }
    return session.id;
  }

  #taken(servers: readonly McpServer[]): readonly McpServer[] {
    const { mcp = "both", announces } = this.#options;
    const other = servers.find((server) => !TAKES[mcp].includes("type" in server ? server.type : "stdio"));
    if (other !== undefined) {
      const data = { mcpServer: other.name };
      throw RequestError.invalidParams(data, "This agent does not support MCP servers with this transport");
    }
    return mcp === "none" || announces !== undefined ? [] : servers;
  }

  #find(sessionId: string): AgentSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  async #closeSessions(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.close()));
  }
}

const TAKES: Readonly<Record<NonNullable<ModelAgentOptions["mcp"]>, readonly string[]>> = {
  both: ["http", "stdio"],
  http: ["http"],
  stdio: ["stdio"],
  none: ["http", "sse", "stdio"],
};
