import { randomUUID } from "node:crypto";
import {
  type AgentContext,
  type ContentBlock,
  type McpServer,
  type PromptRequest,
  RequestError,
  type StopReason,
} from "@agentclientprotocol/sdk";
import { AgentServers } from "./agent-servers.ts";
import { runTurn } from "./agent-turn.ts";
import type { ChatMessage } from "./ask-model.ts";

export interface AgentSessionSetup {
  readonly modelUrl: string;
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  readonly connects: "session" | "prompt" | number;
  readonly asksPermission: boolean;
  readonly announces?: readonly string[];
}

/** One conversation of the test agent, with its own history and MCP clients. */
export class AgentSession {
  readonly id = randomUUID();
  readonly #setup: AgentSessionSetup;
  readonly #servers: AgentServers;
  readonly #messages: ChatMessage[] = [];
  readonly #alwaysAllowed = new Set<string>();
  readonly #closed = new AbortController();
  #turn: AbortController | undefined;

  constructor(setup: AgentSessionSetup) {
    this.#setup = setup;
    this.#servers = new AgentServers(setup.mcpServers, setup.cwd);
  }

  async open(signal: AbortSignal): Promise<void> {
    const { connects } = this.#setup;
    if (connects === "session") return this.#servers.connect(this.#untilClosed(signal));
    if (connects === "prompt") return;
    const timer = setTimeout(() => {
      // Nothing waits for this: an unreachable server has no tools.
      this.#servers.connect(this.#closed.signal).catch(() => {});
    }, connects);
    this.#closed.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  async prompt({ prompt }: PromptRequest, client: AgentContext, signal: AbortSignal): Promise<StopReason> {
    if (this.#turn !== undefined)
      throw RequestError.invalidRequest({}, "The previous prompt has not been answered yet");
    const content = prompt.map(textOf).join("\n");
    this.#turn = new AbortController();
    try {
      if (this.#setup.connects === "prompt") await this.#servers.connect(this.#closed.signal);
      this.#messages.push({ role: "user", content });
      return await runTurn({
        ...this.#setup,
        sessionId: this.id,
        client,
        servers: this.#servers,
        messages: this.#messages,
        alwaysAllowed: this.#alwaysAllowed,
        signal: this.#untilClosed(AbortSignal.any([signal, this.#turn.signal])),
      });
    } finally {
      this.#turn = undefined;
    }
  }

  cancel(): void {
    this.#turn?.abort();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#servers.close();
  }

  #untilClosed(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closed.signal]);
  }
}

/** The two content types that every agent accepts. */
function textOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return `[${block.name}](${block.uri})`;
  throw RequestError.invalidParams({ type: block.type }, "This agent accepts only text and links");
}
