import {
  methods,
  type NewSessionResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS, NAMES } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { bindOperations, type OperationOptions } from "../../core/operations/bind-operations.ts";
import type { ModelTool, OperationTool } from "../../core/operations/model-tool.ts";
import type { ScriptConsent } from "../../core/script/script.ts";
import type { Conversation } from "../../core/session/conversation.ts";
import type { Skillset } from "../../core/skillset.ts";
import { aroundCalls, type OperationFailure } from "../../core/tool/model-tool.ts";
import type { TurnMessage } from "../../core/turn/turn.ts";
import type { AgentLink } from "../link/agent-link.ts";
import { within } from "../link/deadline.ts";
import { type OpenBridge, openBridge } from "./bridge.ts";
import { type AskedModel, chooseModel } from "./choose-model.ts";
import { orElse } from "./or-else.ts";
import { namingOf, type ToolNaming } from "./tool-naming.ts";
import { ToolServer } from "./tool-server.ts";

/** The active run of a conversation: it receives the agent's updates and permission requests. */
export interface ActiveRun {
  readonly signal: AbortSignal;
  readonly tools: readonly ModelTool[];
  /** Runs a function in the async context of the run's caller, so that spans of tools have the right parent. */
  readonly inContext: <Result>(work: () => Result) => Result;
  /** Operations for the skills of the run's prompt, which are not in the session. */
  readonly promptOperations: readonly ModelTool[];
  /** Decides about scripts, if neither the session nor the skillset does. */
  readonly consent: ScriptConsent;
  onUpdate(update: SessionUpdate): void;
  onPermission(request: RequestPermissionRequest): ReturnType<Parameters<AgentLink["listen"]>[1]["onPermission"]>;
}

/** Options for `AgentConversation`. */
export interface AgentConversationOptions {
  /** The working folder of the ACP session. */
  readonly cwd: string;
  /** Whether the conversation has more than one run. If so, its list of tools must not change. */
  readonly isLasting: boolean;
  /** Which skill operations the agent gets, and their names. */
  readonly operations: OperationOptions;
  /** How long the agent may take to start a session, in milliseconds. */
  readonly startTimeout: number;
  /** How long to wait for the agent to list the tools, in milliseconds. */
  readonly bridgeTimeout: number;
  /** The transports to try for the tools, in order. */
  readonly bridges: readonly ("http" | "stdio")[];
  /** The model that the agent must use. */
  readonly model?: AskedModel | undefined;
}

/** One ACP session, with the skills and tools that the agent can use in it. */
export class AgentConversation {
  /** The conversation with the skills of every run. */
  readonly skills: Conversation<Skillset>;
  readonly #link: AgentLink;
  readonly #options: AgentConversationOptions;
  readonly #servers: ToolServer[] = [];
  readonly #told: TurnMessage[] = [];
  #bridge: OpenBridge | undefined;
  #unlisten: (() => void) | undefined;
  #id: string | undefined;
  /** What the agent said about the session when it started. */
  #answer: NewSessionResponse | undefined;
  #run: ActiveRun | undefined;
  #live: "http" | "stdio" | undefined;
  #failed: readonly ("http" | "stdio")[] = [];
  /** The number of our tools that the agent has called over MCP. */
  calls = 0;
  /** The last instructions sent to the agent: the catalog and how to use it. */
  #instructions = "";
  /** The instructions for the next prompt. */
  offered = "";
  /** The agent announces tool calls instead of calling the tools itself. */
  isAnnounced = false;

  constructor(link: AgentLink, skills: Conversation<Skillset>, options: AgentConversationOptions) {
    this.#link = link;
    this.#options = options;
    this.skills = skills;
  }

  /** All prompts and skill instructions sent to the agent so far. */
  get told(): readonly TurnMessage[] {
    return this.#told;
  }

  get instructions(): string {
    return this.#instructions;
  }

  /** The transport over which the agent calls our tools; undefined until one works. */
  get live(): "http" | "stdio" | undefined {
    return this.#live;
  }

  /** The names under which the agent's model sees our tools. */
  get naming(): ToolNaming {
    return namingOf(this.#link.name, { hasMcp: this.#live !== undefined });
  }

  /** The transports that failed. */
  get failed(): readonly ("http" | "stdio")[] {
    return this.#failed;
  }

  get isOpen(): boolean {
    return this.#id !== undefined;
  }

  get isLasting(): boolean {
    return this.#options.isLasting;
  }

  /** The skill operations that this conversation offers. */
  operations(): readonly OperationTool[] {
    const { operations, isLasting } = this.#options;
    const others = this.#run?.promptOperations ?? [];
    const fixedList = isLasting || others.length > 0;
    return bindOperations(this.skills, { ...operations, fixedList }).map((operation) =>
      orElse(this.#prepared(operation), others),
    );
  }

  /** Whether there is a transport to try for the tools. */
  get hasBridges(): boolean {
    return this.#options.bridges.length > 0;
  }

  /** Starts a run, which receives the agent's updates and tool calls from now on. */
  async begin(run: ActiveRun): Promise<void> {
    this.#run = run;
    if (this.#id !== undefined) return;
    await this.#open(run.signal);
    await this.#chooseModel(run.signal).catch(async (error: unknown) => {
      await this.#leave();
      throw error;
    });
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
    // Close the servers before the bridge, which carries their closing messages. Do not wait for an agent that has
    // stopped reading.
    await within(LIMITS.agent.closeTime, Promise.all(this.#servers.map((server) => server.close())));
    await this.#leave();
  }

  /** Starts the ACP session with the first transport that the agent uses. */
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
      // Keep the last transport open: the agent may still use it.
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
      throw new SkillError("agent-failed", `The agent did not start a session within ${startTimeout} ms.`);
    const { sessionId } = answer;
    this.#id = sessionId;
    this.#answer = answer;
    this.#unlisten = this.#link.listen(sessionId, {
      onUpdate: (update) => this.#run?.onUpdate(update),
      onPermission: async (request) =>
        (await this.#run?.onPermission(request)) ?? { outcome: { outcome: "cancelled" } },
    });
  }

  async #chooseModel(signal: AbortSignal): Promise<void> {
    const { model, startTimeout } = this.#options;
    if (model === undefined || this.#answer === undefined) return;
    const chosen = chooseModel(this.#link, this.#answer, model).then(() => true);
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

  #prepared(operation: OperationTool): OperationTool {
    if (operation.id === "activate_skill") return this.#remembered(operation);
    return operation.id === "run_skill_script" ? this.#asked(operation) : operation;
  }

  #remembered<Tool extends ModelTool>(operation: Tool): Tool {
    return aroundCalls(operation, (execute) => async (input, options) => {
      const result = await execute(input, options);
      if (!result.isError) this.#told.push({ role: "tool", text: result.text });
      return result;
    });
  }

  /** Lets the run decide about scripts, if nobody else does. */
  #asked<Tool extends ModelTool>(operation: Tool): Tool {
    const { scriptHooks, skillset } = this.skills;
    const given = scriptHooks.consent ?? skillset.scripts?.consent;
    const consent = given ?? this.#run?.consent;
    // A skill must not get around the run's permissions.
    const scripts = { ...(consent && { consent }), ...(given === undefined && { grants: false }) };
    return aroundCalls(operation, (execute) => (input, options) => execute(input, { ...options, scripts }));
  }

  #serve(name: string, offered: () => readonly ModelTool[]): void {
    this.#servers.push(new ToolServer(name, () => offered().map((tool) => this.#during(tool))));
  }

  /** Binds a tool to the active run: it is cancelled when the run ends. */
  #during(tool: ModelTool): ModelTool {
    return aroundCalls(tool, (execute) => (input, { signal } = {}) => {
      const run = this.#run;
      if (run === undefined) return Promise.resolve(NOT_NOW);
      this.calls += 1;
      const until = signal ? AbortSignal.any([signal, run.signal]) : run.signal;
      return run.inContext(() => execute(input, { signal: until }));
    });
  }
}

const NOT_NOW: OperationFailure = { isError: true, text: "The run has ended.", code: "tool-aborted" };

/** Whether the agent lists the tools of every server in time. */
async function areListed(servers: readonly ToolServer[], timeout: number, signal: AbortSignal): Promise<boolean> {
  const listed = Promise.all(servers.map((server) => server.listed));
  return (await within(timeout, untilAborted(signal, listed))) !== undefined;
}
