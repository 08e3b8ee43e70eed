import {
  type AgentApp,
  type AgentCapabilities,
  type AgentConnection,
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
import { within } from "./deadline.ts";
import { withKnownUpdates } from "./known-updates.ts";
import { type MessageTrace, streamTo, withTrace } from "./trace-messages.ts";

/** Receives the agent's updates and permission requests for one session. */
export interface SessionListener {
  onUpdate(update: SessionUpdate): void;
  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

/** Options for `AgentLink.connect`. */
export interface ConnectLinkOptions {
  /** How long the agent may take to respond, in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with every message in both directions. */
  readonly trace?: MessageTrace | undefined;
}

/** The connection to an agent: a process, an agent in this process, or a stream. */
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

  private constructor(target: AgentProcess | AgentApp | Stream, trace: MessageTrace | undefined) {
    const app = client({ name: NAMES.library })
      .onNotification(methods.client.session.update, ({ params }) =>
        this.#listeners.get(params.sessionId)?.onUpdate(params.update),
      )
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.#answerPermission(params));
    this.#process = target instanceof AgentProcess ? target : undefined;
    const { other, peer } = reached(target, trace);
    this.#connection = "readable" in other ? app.connect(withKnownUpdates(other)) : app.connect(other);
    void this.#connection.closed.then(() => peer?.close());
    void peer?.closed.then(() => this.#connection.close());
    this.#death.promise.catch(() => {});
    void this.#connection.closed.then(() => this.#end());
    void this.#process?.exited.then(() => this.#end());
  }

  static async connect(
    target: AgentProcess | AgentApp | Stream,
    { timeout, signal, trace }: ConnectLinkOptions,
  ): Promise<AgentLink> {
    const link = new AgentLink(target, trace);
    try {
      await link.#initialize(timeout, signal);
      link.#process?.keepAlive(false);
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  /** The agent's self-reported name; empty if it reports none. */
  get name(): string {
    return this.#name;
  }

  /** The agent's self-reported version; empty if it reports none. */
  get version(): string {
    return this.#version;
  }

  /** Aborted when the agent is gone; its reason is the error. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities;
  }

  /** Sends a request to the agent. Rejects if the agent refuses it, or is or becomes unavailable. */
  async request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
  ): Promise<AgentRequestResponsesByMethod[Method]> {
    return this.#send(method, () => this.#connection.agent.request(method, params));
  }

  /** Sends a request that is not part of the protocol's current version. */
  async requestOther(method: string, params: object): Promise<unknown> {
    return this.#send(method, () => this.#connection.agent.request(method, params));
  }

  async #send<Response>(method: string, send: () => Promise<Response>): Promise<Response> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      // Racing with the `#death` promise would retain every request for the lifetime of the agent.
      return await untilAborted(this.signal, send());
    } catch (error) {
      // The connection closes before the reason is known.
      if (this.#connection.signal.aborted) return await this.#death.promise;
      throw error instanceof SkillError ? error : refusedBy(this.#name, method, error);
    }
  }

  /** Cancels a turn. The agent may not even read the notification. */
  cancel(sessionId: string): void {
    this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
  }

  listen(sessionId: string, listener: SessionListener): () => void {
    this.#listeners.set(sessionId, listener);
    return () => {
      // The agent may have reused the session ID.
      if (this.#listeners.get(sessionId) === listener) this.#listeners.delete(sessionId);
    };
  }

  /** The number of active runs. */
  get users(): number {
    return this.#users;
  }

  /** Keeps this program alive until the returned function is called. */
  hold(): () => void {
    this.#users += 1;
    this.#process?.keepAlive(true);
    // Nothing else keeps it alive: an agent in this process and idle servers do not.
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

  /** Stops an agent that no longer responds; all its pending requests fail with `reason`. */
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
      const late = `The agent did not respond within ${timeout} ms of starting.`;
      throw new SkillError("agent-failed", this.#withLastLines(late));
    }
    this.#hasAnswered = true;
    if (answer.protocolVersion !== PROTOCOL_VERSION) {
      const message = `The agent uses ACP version ${answer.protocolVersion}, but this library requires version ${PROTOCOL_VERSION}.`;
      throw new SkillError("agent-failed", message);
    }
    this.#capabilities = answer.agentCapabilities ?? {};
    this.#name = answer.agentInfo?.name ?? "";
    this.#version = answer.agentInfo?.version ?? "";
  }

  async #answerPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const listener = this.#listeners.get(request.sessionId);
    // No run is active in that session, so the request is denied.
    return listener === undefined ? { outcome: { outcome: "cancelled" } } : listener.onPermission(request);
  }

  async #end(): Promise<void> {
    if (this.#isClosing || this.#failure !== undefined) return;
    // The process closes its stdout first; its exit reports the reason a moment later.
    const exited = this.#process && within(1_000, this.#process.exited, { ref: false });
    const how = tooLong(this.#connection.signal.reason) ?? (await exited);
    const hint = this.#hasAnswered ? "" : " before it responded. It must speak ACP over stdin and stdout";
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
    return lines === "" ? message : `${message} Its last output:\n${lines}`;
  }
}

interface Reached {
  readonly other: AgentApp | Stream;
  /** The other end of a stream within this process. */
  readonly peer?: AgentConnection;
}

function reached(target: AgentProcess | AgentApp | Stream, trace: MessageTrace | undefined): Reached {
  const other = target instanceof AgentProcess ? target.stream : target;
  if (trace === undefined) return { other };
  if ("readable" in other) return { other: withTrace(other, trace) };
  const { stream, peer } = streamTo(other);
  return { other: withTrace(stream, trace), peer };
}

/** In this case the connection closes itself, so the agent's exit does not explain the failure. */
function tooLong(reason: unknown): string | undefined {
  return reason instanceof MessageTooLargeError ? `sent a message that is too long: ${reason.message}` : undefined;
}

const AUTHENTICATION_REQUIRED = -32_000;

function refusedBy(name: string, method: string, error: unknown): SkillError {
  const who = name === "" ? "The agent" : `The agent '${name}'`;
  if (!(error instanceof RequestError)) {
    const message = `${who} sent an invalid response to '${method}': ${messageOf(error)}`;
    return new SkillError("agent-failed", message, { cause: error });
  }
  const needsLogin = error.code === AUTHENTICATION_REQUIRED && /auth/i.test(error.message);
  const details = typeof error.data === "object" && error.data !== null ? JSON.stringify(error.data).slice(0, 500) : "";
  const message = needsLogin
    ? `${who} requires a login. Start it on its own once and log in.`
    : `${who} refused '${method}': ${error.message}${details === "" ? "" : ` ${details}`}`;
  return new SkillError("agent-failed", withoutTokens(message), { cause: error });
}

/** An error may echo the request, which contains our tokens. */
function withoutTokens(text: string): string {
  return text.replace(/[\w-]{43}/g, "…");
}
