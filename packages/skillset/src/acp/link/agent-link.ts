import {
  type AgentApp,
  type AgentCapabilities,
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type AgentRequestResponsesByMethod,
  type ClientConnection,
  client,
  MessageTooLargeError,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { NAMES } from "../../core/base/limits.ts";
import { messageOf } from "../../core/base/message-of.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { VERSION } from "../../core/base/version.ts";
import { AgentProcess } from "./agent-process.ts";
import { withKnownUpdates } from "./known-updates.ts";
import { within } from "./within.ts";

/** Who hears what an agent says in one of its sessions. */
export interface SessionListener {
  onUpdate(update: SessionUpdate): void;
  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

/** The connection to an agent, however it is reached, for as long as both live. */
export class AgentLink {
  readonly #connection: ClientConnection;
  readonly #process: AgentProcess | undefined;
  readonly #listeners = new Map<string, SessionListener>();
  readonly #gone = new AbortController();
  readonly #death = Promise.withResolvers<never>();
  #failure: SkillError | undefined;
  #isClosing = false;
  #users = 0;
  #hasAnswered = false;
  #capabilities: AgentCapabilities = {};
  #name = "";
  #version = "";

  private constructor(target: AgentProcess | AgentApp | Stream) {
    const app = client({ name: NAMES.library })
      .onNotification(methods.client.session.update, ({ params }) =>
        this.#listeners.get(params.sessionId)?.onUpdate(params.update),
      )
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.#answerPermission(params));
    this.#process = target instanceof AgentProcess ? target : undefined;
    const other = target instanceof AgentProcess ? target.stream : target;
    this.#connection = "readable" in other ? app.connect(withKnownUpdates(other)) : app.connect(other);
    this.#death.promise.catch(() => {});
    void this.#connection.closed.then(() => this.#end());
    void this.#process?.exited.then(() => this.#end());
  }

  static async connect(
    target: AgentProcess | AgentApp | Stream,
    { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
  ): Promise<AgentLink> {
    const link = new AgentLink(target);
    try {
      await link.#initialize(timeout, signal);
      link.#process?.keepAlive(false);
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  /** What the agent calls itself; empty when it does not say. */
  get name(): string {
    return this.#name;
  }

  get version(): string {
    return this.#version;
  }

  /** Aborted when the agent is gone, with the reason. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities;
  }

  /** Asks the agent something; rejects when it refuses, and when it is or comes to be gone. */
  async request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
  ): Promise<AgentRequestResponsesByMethod[Method]> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      // Not a race with the promise of its death, which would keep every request for as long as the agent lives.
      return await untilAborted(this.signal, this.#connection.agent.request(method, params));
    } catch (error) {
      // The connection ends before it is known why.
      if (this.#connection.signal.aborted) return await this.#death.promise;
      throw error instanceof SkillError ? error : refusedBy(this.#name, method, error);
    }
  }

  /** Says that a turn is no longer wanted, to an agent that may not even read it. */
  cancel(sessionId: string): void {
    this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
  }

  listen(sessionId: string, listener: SessionListener): () => void {
    this.#listeners.set(sessionId, listener);
    return () => {
      // An agent may have given the same id once more.
      if (this.#listeners.get(sessionId) === listener) this.#listeners.delete(sessionId);
    };
  }

  /** How many runs are under way. */
  get users(): number {
    return this.#users;
  }

  /** This program waits for the agent until what is returned is called. */
  hold(): () => void {
    this.#users += 1;
    this.#process?.keepAlive(true);
    // Nothing else may: an agent in this process, and servers that only wait, do not.
    const timer = setInterval(() => {}, 2 ** 30);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(timer);
      this.#users -= 1;
      if (this.#users === 0) this.#process?.keepAlive(false);
    };
  }

  /** Gives up an agent that does not answer any more; whatever else it was asked fails with this. */
  async abandon(reason: SkillError): Promise<void> {
    this.#fail(reason);
    await this.close();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#fail(new SkillError("agent-failed", "The agent was closed."));
    this.#connection.close();
    await this.#process?.stop();
  }

  async #initialize(timeout: number, signal: AbortSignal | undefined): Promise<void> {
    const asked = this.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: NAMES.library, version: VERSION },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const answer = await within(timeout, untilAborted(signal, asked));
    if (answer === undefined) {
      const late = `The agent has not answered within ${timeout} ms of its start.`;
      throw new SkillError("agent-failed", this.#withLastLines(late));
    }
    this.#hasAnswered = true;
    if (answer.protocolVersion !== PROTOCOL_VERSION) {
      const message = `The agent speaks version ${answer.protocolVersion} of ACP; this library speaks ${PROTOCOL_VERSION}.`;
      throw new SkillError("agent-failed", message);
    }
    this.#capabilities = answer.agentCapabilities ?? {};
    this.#name = answer.agentInfo?.name ?? "";
    this.#version = answer.agentInfo?.version ?? "";
  }

  async #answerPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const listener = this.#listeners.get(request.sessionId);
    // Nobody runs in that session any more, so nobody allows anything.
    return listener === undefined ? { outcome: { outcome: "cancelled" } } : listener.onPermission(request);
  }

  async #end(): Promise<void> {
    if (this.#isClosing || this.#failure !== undefined) return;
    // Its stdout ends first; why, its exit says a moment later.
    const exited = this.#process && within(1_000, this.#process.exited, { ref: false });
    const how = tooLong(this.#connection.signal.reason) ?? (await exited);
    const hint = this.#hasAnswered ? "" : " before it had answered: it must speak ACP over stdin and stdout";
    this.#fail(
      new SkillError("agent-failed", this.#withLastLines(`The agent ${how ?? "closed the connection"}${hint}.`)),
    );
    this.#connection.close();
    await this.#process?.stop();
  }

  #fail(failure: SkillError): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#gone.abort(failure);
    this.#death.reject(failure);
  }

  #withLastLines(message: string): string {
    const lines = this.#process?.lastLines ?? "";
    return lines === "" ? message : `${message} It wrote last:\n${lines}`;
  }
}

/** The connection ends itself then, so that the agent's exit says nothing. */
function tooLong(reason: unknown): string | undefined {
  return reason instanceof MessageTooLargeError ? `sent a message that is too long: ${reason.message}` : undefined;
}

const AUTHENTICATION_REQUIRED = -32_000;

function refusedBy(name: string, method: string, error: unknown): SkillError {
  const who = name === "" ? "The agent" : `The agent '${name}'`;
  if (!(error instanceof RequestError)) {
    const message = `${who} did not answer '${method}' properly: ${messageOf(error)}`;
    return new SkillError("agent-failed", message, { cause: error });
  }
  const needsLogin = error.code === AUTHENTICATION_REQUIRED && /auth/i.test(error.message);
  const details = typeof error.data === "object" && error.data !== null ? JSON.stringify(error.data).slice(0, 500) : "";
  const message = needsLogin
    ? `${who} wants you to log in first: start it by itself once and do so.`
    : `${who} refused '${method}': ${error.message}${details === "" ? "" : ` ${details}`}`;
  return new SkillError("agent-failed", withoutTokens(message), { cause: error });
}

/** An agent may repeat what it was asked, and that has our tokens in it. */
function withoutTokens(text: string): string {
  return text.replace(/[\w-]{43}/g, "…");
}
