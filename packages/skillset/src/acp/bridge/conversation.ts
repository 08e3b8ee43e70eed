import { methods, type RequestPermissionRequest, type SessionUpdate } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS, NAMES } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { createOperations } from "../../core/create-operations.ts";
import type { OperationOptions } from "../../core/operations/bind-operations.ts";
import type { Session } from "../../core/session.ts";
import type { ModelTool, OperationResult } from "../../core/tool/model-tool.ts";
import type { TurnMessage } from "../../core/turn/turn.ts";
import type { AgentLink } from "../link/agent-link.ts";
import { within } from "../link/within.ts";
import { type OpenBridge, openBridge } from "./bridge.ts";
import { namingOf, type ToolNaming } from "./tool-naming.ts";
import { ToolServer } from "./tool-server.ts";

/** What the run that is under way in a conversation does with what the agent says and calls. */
export interface ActiveRun {
  readonly signal: AbortSignal;
  readonly tools: readonly ModelTool[];
  onUpdate(update: SessionUpdate): void;
  onPermission(request: RequestPermissionRequest): ReturnType<Parameters<AgentLink["listen"]>[1]["onPermission"]>;
}

export interface AgentConversationOptions {
  readonly cwd: string;
  /** It has more than one run, so that what it offers must not change. */
  readonly isLasting: boolean;
  readonly operations: OperationOptions;
  /** How long the agent may take to start a session, in milliseconds. */
  readonly startTimeout: number;
  /** How long to wait until the agent has asked for the tools, in milliseconds. */
  readonly bridgeTimeout: number;
  /** How the tools are to reach the agent, in the order in which it is tried. */
  readonly bridges: readonly ("http" | "stdio")[];
}

/** One ACP session, with the skills and tools that the agent reaches in it. */
export class AgentConversation {
  readonly session: Session;
  readonly #link: AgentLink;
  readonly #options: AgentConversationOptions;
  readonly #servers: ToolServer[] = [];
  readonly #told: TurnMessage[] = [];
  #bridge: OpenBridge | undefined;
  #unlisten: (() => void) | undefined;
  #id: string | undefined;
  #run: ActiveRun | undefined;
  #live: "http" | "stdio" | undefined;
  #failed: readonly ("http" | "stdio")[] = [];
  /** How many of our tools the agent has called over MCP. */
  calls = 0;
  /** The instructions that the agent was given last: the catalog and how to use it. */
  #instructions = "";
  /** Those of the next prompt. */
  offered = "";
  /** It says which tools it wants called, and does not call them. */
  isAnnounced = false;

  constructor(link: AgentLink, session: Session, options: AgentConversationOptions) {
    this.#link = link;
    this.#options = options;
    this.session = session;
  }

  /** The prompts, and the instructions that the agent was given, from the start. */
  get told(): readonly TurnMessage[] {
    return this.#told;
  }

  get instructions(): string {
    return this.#instructions;
  }

  /** How the agent calls our tools; undefined while it is not known to. */
  get live(): "http" | "stdio" | undefined {
    return this.#live;
  }

  /** The names under which the agent's model sees our tools. */
  get naming(): ToolNaming {
    return namingOf(this.#link.name, { hasMcp: this.#live !== undefined });
  }

  /** What was tried in vain. */
  get failed(): readonly ("http" | "stdio")[] {
    return this.#failed;
  }

  get isOpen(): boolean {
    return this.#id !== undefined;
  }

  get isLasting(): boolean {
    return this.#options.isLasting;
  }

  /** The operations on skills, as this conversation offers them. */
  operations(): readonly ModelTool[] {
    const { operations, isLasting } = this.#options;
    return createOperations(this.session, { ...operations, fixedList: isLasting }).map((operation) =>
      operation.id === "activate_skill" ? this.#remembered(operation) : operation,
    );
  }

  /** Begins a run; what the agent says and calls from now on is the run's. */
  async begin(run: ActiveRun): Promise<void> {
    this.#run = run;
    if (this.#id !== undefined) return;
    await this.#open(run.signal);
  }

  end(): void {
    this.#run = undefined;
  }

  async prompt(text: string) {
    const sessionId = this.#id as string;
    this.#told.push({ role: "user", text });
    this.#instructions = this.offered;
    return this.#link.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }

  async cancel(): Promise<void> {
    if (this.#id !== undefined) await this.#link.cancel(this.#id);
  }

  async close(): Promise<void> {
    this.#run = undefined;
    await this.#closeSession();
    // Before the bridge, over which they say that they end; an agent that does not listen any more is not waited for.
    await within(LIMITS.agent.closeTime, Promise.all(this.#servers.map((server) => server.close())));
    await this.#leave();
  }

  /** Starts the ACP session, with the first of the bridges that the agent makes use of. */
  async #open(signal: AbortSignal): Promise<void> {
    const { isLasting, bridges } = this.#options;
    if (isLasting || this.operations().length > 0) this.#serve(NAMES.library, () => this.operations());
    if (isLasting || (this.#run?.tools.length ?? 0) > 0) this.#serve(NAMES.thinkServer, () => this.#run?.tools ?? []);
    const kinds = this.#servers.length === 0 ? [] : bridges;
    for (const [index, kind] of kinds.entries()) {
      const isLast = index === kinds.length - 1;
      try {
        if (await this.#tryBridge(kind, signal)) {
          this.#live = kind;
          return;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (isLast) throw error;
      }
      this.#failed = [...this.#failed, kind];
      // The last one stays: the agent may yet come to use it.
      if (!isLast) await this.#leave();
    }
    if (kinds.length === 0) await this.#start([], signal);
    signal.throwIfAborted();
  }

  async #tryBridge(kind: "http" | "stdio", signal: AbortSignal): Promise<boolean> {
    this.#bridge = await openBridge(kind, this.#servers);
    await this.#start(this.#bridge.declarations, signal);
    return areListed(this.#servers, this.#options.bridgeTimeout, signal);
  }

  async #start(mcpServers: OpenBridge["declarations"], signal: AbortSignal): Promise<void> {
    const { cwd, startTimeout } = this.#options;
    const asked = this.#link.request(methods.agent.session.new, { cwd, mcpServers: [...mcpServers] });
    const answer = await within(startTimeout, untilAborted(signal, asked)).catch((error: unknown) => {
      void asked.then(({ sessionId }) => this.#closeOne(sessionId)).catch(() => {});
      throw error;
    });
    if (answer === undefined)
      throw new SkillError("agent-failed", `The agent has not started a session within ${startTimeout} ms.`);
    const { sessionId } = answer;
    this.#id = sessionId;
    this.#unlisten = this.#link.listen(sessionId, {
      onUpdate: (update) => this.#run?.onUpdate(update),
      onPermission: async (request) =>
        (await this.#run?.onPermission(request)) ?? { outcome: { outcome: "cancelled" } },
    });
  }

  /** Ends the ACP session, as far as the agent knows how to, and whatever it reached us by. */
  async #leave(): Promise<void> {
    await this.#closeSession();
    const bridge = this.#bridge;
    this.#bridge = undefined;
    await bridge?.close();
  }

  async #closeSession(): Promise<void> {
    const sessionId = this.#id;
    this.#unlisten?.();
    this.#id = undefined;
    if (sessionId === undefined) return;
    await this.#closeOne(sessionId);
  }

  async #closeOne(sessionId: string): Promise<void> {
    if (this.#link.capabilities.sessionCapabilities?.close == null) return;
    const closed = this.#link.request(methods.agent.session.close, { sessionId }).catch(() => {});
    await within(LIMITS.agent.closeTime, closed);
  }

  #remembered(operation: ModelTool): ModelTool {
    return {
      ...operation,
      execute: async (input, options) => {
        const result = await operation.execute(input, options);
        if (!result.isError) this.#told.push({ role: "tool", text: result.text });
        return result;
      },
    };
  }

  #serve(name: string, offered: () => readonly ModelTool[]): void {
    this.#servers.push(new ToolServer(name, () => offered().map((tool) => this.#during(tool))));
  }

  /** A tool is called for the run that is under way, and for no longer than that. */
  #during(tool: ModelTool): ModelTool {
    return {
      ...tool,
      execute: (input, { signal } = {}) => {
        const run = this.#run;
        if (run === undefined) return Promise.resolve(NOT_NOW);
        this.calls += 1;
        return tool.execute(input, { signal: signal ? AbortSignal.any([signal, run.signal]) : run.signal });
      },
    };
  }
}

const NOT_NOW: OperationResult = { isError: true, text: "Nothing is under way any more.", code: "tool-aborted" };

/** Whether the agent asks all of the servers what they offer, in time. */
async function areListed(servers: readonly ToolServer[], timeout: number, signal: AbortSignal): Promise<boolean> {
  const listed = Promise.all(servers.map((server) => server.listed));
  return (await within(timeout, untilAborted(signal, listed))) !== undefined;
}
