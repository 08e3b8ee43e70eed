import {
  type AgentApp,
  type AgentConnection,
  agent,
  type McpServer,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { VERSION } from "../../core/base/version.ts";
import { AgentSession } from "./agent-session.ts";

export interface ModelAgentOptions {
  /**
   * Which MCP servers it declares and takes; it refuses sessions with others. `none` declares nothing and drops all
   * servers without a word, as some agents do.
   */
  readonly mcp?: "both" | "http" | "stdio" | "none";
  /**
   * When it connects to them: before it answers `session/new`, which is the default, at the first prompt, or this many
   * milliseconds after `session/new`; prompts that come before that are answered without their tools.
   */
  readonly connects?: "session" | "prompt" | number;
  /** Whether it asks before each call of a tool, as Claude Code does; it does unless told otherwise. */
  readonly asksPermission?: boolean;
  /**
   * It uses no MCP server. Its model is offered tools of these names, and their calls are announced in updates, which
   * ends the turn; the next prompt goes on with the script.
   */
  readonly announces?: readonly string[];
}

/** An ACP agent over any model at an OpenAI-compatible URL, to which `/v1/chat/completions` is added. */
export function createModelAgent(modelUrl: string, options: ModelAgentOptions = {}): AgentApp {
  return new ModelAgent(modelUrl, options).app;
}

/** The agent, with a way to end it before its connections end. */
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
    this.app = agent({ name: INFO.name })
      .onConnect((connection) => this.#follow(connection))
      .onRequest("initialize", () => ({
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: INFO,
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

  /** A handler is not told which connection it serves, so sessions stay until the last of them has ended. */
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
      throw RequestError.invalidParams(data, "This agent does not take MCP servers of this transport");
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

const INFO = { name: "skillset-test-agent", title: "Test agent", version: VERSION };

const TAKES = { both: ["http", "stdio"], http: ["http"], stdio: ["stdio"], none: ["http", "sse", "stdio"] };
