import {
  methods,
  type NewSessionResponse,
  type RequestPermissionResponse,
  type StopReason,
} from "@agentclientprotocol/sdk";
import type { BridgeTransport } from "../../agents/agent-definition.ts";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS, NAMES } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { aroundCalls, type OperationFailure } from "../../core/tool/model-tool.ts";
import type { AgentLink, SessionListener } from "../link/agent-link.ts";
import { within } from "../link/deadline.ts";
import { type OpenBridge, openBridge } from "./bridge.ts";
import { type AskedModel, chooseModel } from "./choose-model.ts";
import { namingOf, type ToolNaming } from "./tool-naming.ts";
import { ToolServer } from "./tool-server.ts";

/** What an agent calls during a run: the run's tools, and the listeners for updates and permission requests. */
export interface AgentCallbacks extends SessionListener {
  /** Aborted when the run must end early. */
  readonly signal: AbortSignal;
  /** Returns the operations on skills. */
  operations(): readonly ModelTool[];
  /** Returns the tools of the run. */
  tools(): readonly ModelTool[];
}

/** Options for `AgentSession`. */
export interface AgentSessionOptions {
  /** The working folder of the session. */
  readonly cwd: string;
  /** Whether the session has more than one run. If so, its list of tools must not change. */
  readonly isLasting: boolean;
  /** How long the agent may take to start a session, in milliseconds. */
  readonly startTimeout: number;
  /** How long to wait for the agent to list the tools, in milliseconds. */
  readonly bridgeTimeout: number;
  /** How long a cancelled agent may take to end its turn, in milliseconds. */
  readonly cancelTimeout: number;
  /** The transports to try for the tools, in order. */
  readonly bridges: readonly BridgeTransport[];
  /** The model that the agent must use. */
  readonly model?: AskedModel | undefined;
}

/** One ACP session: serves the tools of its current run to the agent, and sends the run's prompts. */
export class AgentSession {
  readonly #link: AgentLink;
  readonly #options: AgentSessionOptions;
  readonly #servers: ToolServer[] = [];
  #bridge: OpenBridge | undefined;
  #unlisten: (() => void) | undefined;
  #id: string | undefined;
  #live: BridgeTransport | undefined;
  #failed: readonly BridgeTransport[] = [];
  /** The callbacks of the last run. Between runs, an agent may list its tools, but not call them. */
  #callbacks: AgentCallbacks | undefined;
  #isRunning = false;

  constructor(link: AgentLink, options: AgentSessionOptions) {
    this.#link = link;
    this.#options = options;
  }

  /** The agent's self-reported name. */
  get agent(): string {
    return this.#link.name;
  }

  /** The transport over which the agent calls our tools; undefined if none works. */
  get live(): BridgeTransport | undefined {
    return this.#live;
  }

  /** The transports that failed. */
  get failed(): readonly BridgeTransport[] {
    return this.#failed;
  }

  /** The names under which the agent's model sees our tools. */
  get naming(): ToolNaming {
    return namingOf(this.agent, { hasMcp: this.#live !== undefined });
  }

  /** Whether there is a transport to try for the tools. */
  get hasBridges(): boolean {
    return this.#options.bridges.length > 0;
  }

  get isOpen(): boolean {
    return this.#id !== undefined;
  }

  /** Performs the work of one run, whose callbacks the agent may use until it ends. The first run opens the session. */
  async serve<Result>(callbacks: AgentCallbacks, work: () => Promise<Result>): Promise<Result> {
    this.#callbacks = callbacks;
    this.#isRunning = true;
    try {
      if (this.#id === undefined) await this.#start(callbacks);
      return await work();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Sends a prompt, and returns why the agent ended its turn. */
  async prompt(text: string): Promise<StopReason> {
    const sessionId = this.#id as string;
    const prompt = [{ type: "text" as const, text }];
    return (await this.#link.request(methods.agent.session.prompt, { sessionId, prompt })).stopReason;
  }

  cancel(): void {
    if (this.#id !== undefined) this.#link.cancel(this.#id);
  }

  /** Cancels a turn and waits for its end. If the agent ignores that and no other run uses it, the agent is stopped. */
  async endTurn(turn: Promise<unknown>): Promise<void> {
    this.cancel();
    const ended = turn.then(
      () => true,
      () => true,
    );
    if ((await within(this.#options.cancelTimeout, ended)) !== undefined || this.#link.users > 1) return;
    const message = "The agent kept running after it was cancelled, and was stopped.";
    await this.#link.abandon(new SkillError("agent-failed", message));
  }

  async close(): Promise<void> {
    await this.#closeSession();
    // Close the servers before the bridge, which carries their closing messages. Do not wait for an agent that has
    // stopped reading.
    await within(LIMITS.agent.closeTime, Promise.all(this.#servers.map((server) => server.close())));
    await this.#leave();
  }

  async #start(callbacks: AgentCallbacks): Promise<void> {
    const { isLasting } = this.#options;
    if (isLasting || callbacks.operations().length > 0) this.#offer(NAMES.library, (run) => run.operations());
    if (isLasting || callbacks.tools().length > 0) this.#offer(NAMES.thinkServer, (run) => run.tools());
    const session = await this.#open(callbacks.signal);
    await this.#chooseModel(session, callbacks.signal).catch(async (error: unknown) => {
      await this.#leave();
      throw error;
    });
  }

  #offer(name: string, toolsOf: (run: AgentCallbacks) => readonly ModelTool[]): void {
    const listed = () => (this.#callbacks === undefined ? [] : toolsOf(this.#callbacks));
    this.#servers.push(new ToolServer(name, () => listed().map((tool) => this.#whileRunning(tool))));
  }

  #whileRunning(tool: ModelTool): ModelTool {
    return aroundCalls(tool, (execute) => (input, options) => {
      return this.#isRunning ? execute(input, options) : Promise.resolve(NOT_NOW);
    });
  }

  /** Starts the ACP session with the first transport that the agent uses. */
  async #open(signal: AbortSignal): Promise<NewSessionResponse> {
    const kinds = this.#servers.length === 0 ? [] : this.#options.bridges;
    for (const [index, kind] of kinds.entries()) {
      const isLast = index === kinds.length - 1;
      try {
        const session = await this.#openWith(kind, signal);
        const isLive = await areListed(this.#servers, this.#options.bridgeTimeout, signal);
        if (isLive) this.#live = kind;
        else this.#failed = [...this.#failed, kind];
        // Keep the last transport open: the agent may still use it.
        if (isLive || isLast) return session;
      } catch (error) {
        signal.throwIfAborted();
        if (isLast) throw error;
        this.#failed = [...this.#failed, kind];
      }
      await this.#leave();
    }
    return this.#request([], signal);
  }

  async #openWith(kind: BridgeTransport, signal: AbortSignal): Promise<NewSessionResponse> {
    this.#bridge = await openBridge(kind, this.#servers);
    return this.#request(this.#bridge.declarations, signal);
  }

  async #request(mcpServers: OpenBridge["declarations"], signal: AbortSignal): Promise<NewSessionResponse> {
    const { cwd, startTimeout } = this.#options;
    const asked = this.#link.request(methods.agent.session.new, { cwd, mcpServers: [...mcpServers] });
    const session = await within(startTimeout, untilAborted(signal, asked)).catch((error: unknown) => {
      void asked.then(({ sessionId }) => this.#closeOne(sessionId)).catch(() => {});
      throw error;
    });
    if (session === undefined)
      throw new SkillError("agent-failed", `The agent did not start a session within ${startTimeout} ms.`);
    this.#id = session.sessionId;
    const running = (): AgentCallbacks | undefined => (this.#isRunning ? this.#callbacks : undefined);
    this.#unlisten = this.#link.listen(session.sessionId, {
      onUpdate: (update) => running()?.onUpdate(update),
      onPermission: async (request) => (await running()?.onPermission(request)) ?? CANCELLED,
    });
    return session;
  }

  async #chooseModel(session: NewSessionResponse, signal: AbortSignal): Promise<void> {
    const { model, startTimeout } = this.#options;
    if (model === undefined) return;
    const chosen = chooseModel(this.#link, session, model).then(() => true);
    if (await within(startTimeout, untilAborted(signal, chosen))) return;
    throw new SkillError(
      "agent-failed",
      `The agent did not switch to the model '${model.name}' within ${startTimeout} ms.`,
    );
  }

  /** Closes the ACP session, if the agent supports it, and the bridge. */
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
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
const NOT_NOW: OperationFailure = { isError: true, text: "The run has ended.", code: "tool-aborted" };

/** Whether the agent lists the tools of every server in time. */
async function areListed(servers: readonly ToolServer[], timeout: number, signal: AbortSignal): Promise<boolean> {
  const listed = Promise.all(servers.map((server) => server.listed));
  return (await within(timeout, untilAborted(signal, listed))) !== undefined;
}
