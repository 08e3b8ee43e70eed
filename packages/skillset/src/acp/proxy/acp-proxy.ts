import { randomUUID } from "node:crypto";
import { DEFAULTS, LIMITS } from "../../core/base/limits.ts";
import { messageOf } from "../../core/base/message-of.ts";
import type { MessageTrace } from "../link/trace-messages.ts";
import { fromAgent, listFor } from "./from-agent.ts";
import { type EditorWork, fromEditor, opensSession } from "./from-editor.ts";
import { Lanes } from "./lanes.ts";
import type { LineWriter } from "./line-writer.ts";
import { type Fields, fieldsOf, idKey, parseLine, textOf, toLine } from "./message.ts";
import type { ProxySession } from "./proxy-session.ts";
import { ProxySessions, type ProxySessionsOptions } from "./proxy-sessions.ts";
import { readLines } from "./read-lines.ts";
import type { AskEditor } from "./script-consent.ts";

export interface AcpProxyOptions extends Pick<ProxySessionsOptions, "load" | "allowScripts" | "report"> {
  readonly editor: LineWriter;
  readonly agent: LineWriter;
  /**
   * How long an agent may take to list the tools, in milliseconds.
   * @default 10_000
   */
  readonly bridgeTimeout?: number;
  /** Called with the messages that the agent gets and sends, up to 16 MB each. */
  readonly trace?: MessageTrace | undefined;
}

/** A request of the editor that the agent has not answered yet. */
interface Pending {
  readonly id: unknown;
  readonly method: unknown;
  readonly lane: string;
  readonly sessionId: string;
  opening?: ProxySession | undefined;
}

/** Passes messages between an editor and an agent, and adds skills to them. */
export class AcpProxy {
  readonly sessions: ProxySessions;
  readonly #options: AcpProxyOptions;
  readonly #lanes = new Lanes(LIMITS.hard.request);
  readonly #pending = new Map<string, Pending>();
  /** No other request has an id that starts with this. */
  readonly #prefix = `skillset-${randomUUID()}-`;
  readonly #asked = new Map<string, (response: Fields) => void>();
  readonly #ended = new AbortController();
  #count = 0;
  #hasAnswered = false;
  #reported = new Set<string>();

  constructor(options: AcpProxyOptions) {
    const { load, allowScripts, report, bridgeTimeout = DEFAULTS.bridgeTimeout } = options;
    this.#options = options;
    const notify = (method: string, params: object): void =>
      void options.editor.send(toLine({ jsonrpc: "2.0", method, params }));
    this.sessions = new ProxySessions({ load, allowScripts, report, bridgeTimeout, ask: this.#ask, notify });
  }

  /** Whether the agent has ever answered. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Passes on what the editor writes, until it closes its output. */
  async readEditor(input: AsyncIterable<Uint8Array | string>): Promise<void> {
    const { agent, editor } = this.#options;
    await this.#read(input, agent, "editor", async (line) => {
      const message = parseLine(line);
      if (message !== undefined) return this.#takeFromEditor(line, message);
      if (line.toString("utf8").trim() === "") return;
      this.#reportOnce("The editor sent a line that is not JSON. Such lines are not passed on.");
      await editor.send(toLine({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } }));
    });
  }

  /** Passes on what the agent writes, until it closes its output. */
  async readAgent(output: AsyncIterable<Uint8Array | string>): Promise<void> {
    await this.#read(output, this.#options.editor, "agent", async (line) => {
      const message = parseLine(line);
      if (message !== undefined) return this.#takeFromAgent(line, message);
      if (line.toString("utf8").trim() === "") return;
      this.#reportOnce("The agent printed a line that is not JSON. Such lines are not passed on.");
    });
  }

  /** Answers what the editor still waits for. */
  async fail(message: string): Promise<void> {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { id } of pending) await this.#options.editor.send(errorLine(id, message));
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.sessions.closeAll();
  }

  async #read(
    input: AsyncIterable<Uint8Array | string>,
    to: LineWriter,
    from: "editor" | "agent",
    take: (line: Buffer) => Promise<void>,
  ): Promise<void> {
    let held: Awaited<ReturnType<LineWriter["hold"]>> | undefined;
    for await (const piece of readLines(input, LIMITS.hard.request)) {
      if (piece.kind === "line") {
        await take(piece.bytes);
        continue;
      }
      if (held === undefined) {
        this.#reportOnce(`The ${from} sent a message of more than 16 MB. Such messages are passed on as they are.`);
        if (from === "editor") await this.#lanes.idle();
        held = await to.hold();
      }
      await held.write(piece.bytes);
      if (!piece.isLast) continue;
      held.release();
      held = undefined;
    }
  }

  async #takeFromEditor(line: Buffer, message: Fields): Promise<void> {
    const { id, method, params } = message;
    if (method === undefined && typeof id === "string" && id.startsWith(this.#prefix)) {
      this.#asked.get(id)?.(message);
      return;
    }
    const sessionId = textOf(fieldsOf(params).sessionId);
    const lane = this.#laneOf(message, sessionId);
    if (method !== undefined && id !== undefined) this.#expect({ id, method, lane, sessionId });
    if (method === "initialize" && id !== undefined) this.sessions.initialize();
    if (method === "session/cancel") {
      this.sessions.find(sessionId)?.endTurn();
      this.#lanes.stop(lane);
    }
    const isWork = opensSession(method) || method === "session/prompt";
    if (!isWork && !this.#lanes.isBusy(lane)) return this.#toAgent(line);
    await this.#lanes.run(lane, line.length, async (signal) => {
      const { line: next, opening } = isWork ? await this.#prepare(line, message, signal) : { line };
      const pending = this.#pending.get(idKey(id));
      if (opening !== undefined && pending !== undefined) pending.opening = opening;
      else if (opening !== undefined) await this.sessions.discard(opening);
      await this.#toAgent(next);
    });
  }

  #toAgent(line: Buffer | string): Promise<void> {
    this.#trace("sent", line);
    return this.#options.agent.queue(line);
  }

  #trace(direction: "sent" | "received", line: Buffer | string): void {
    this.#options.trace?.(direction, JSON.parse(line.toString("utf8")));
  }

  /** A message that belongs to no session is never delayed. */
  #laneOf({ id, method, params }: Fields, sessionId: string): string {
    if (method === "$/cancel_request") return this.#pending.get(idKey(fieldsOf(params).requestId))?.lane ?? "";
    if (sessionId !== "") return `session ${sessionId}`;
    return opensSession(method) ? `request ${idKey(id)}` : "";
  }

  #expect(pending: Pending): void {
    const key = idKey(pending.id);
    const before = this.#pending.get(key)?.opening;
    if (before !== undefined) void this.sessions.discard(before);
    this.#pending.set(key, pending);
  }

  /** Without skills, the message still reaches the agent. */
  async #prepare(line: Buffer, message: Fields, signal: AbortSignal): Promise<EditorWork> {
    try {
      return await fromEditor(line, message, this.sessions, AbortSignal.any([signal, this.#ended.signal]));
    } catch (error) {
      if (!signal.aborted && !this.#ended.signal.aborted)
        this.#reportOnce(`Skills are left out of '${String(message.method)}': ${messageOf(error)}`);
      return { line };
    }
  }

  async #takeFromAgent(line: Buffer, message: Fields): Promise<void> {
    this.#hasAnswered = true;
    this.#trace("received", line);
    const { editor } = this.#options;
    if (message.method === undefined) return this.#answer(line, message);
    const { toEditor, toAgent } = await fromAgent(line, message, this.sessions, this.#ended.signal).catch(
      (error: unknown) => {
        this.#reportOnce(`Skills are left out of '${String(message.method)}': ${messageOf(error)}`);
        return { toEditor: line, toAgent: undefined };
      },
    );
    if (toEditor !== undefined) await editor.send(toEditor);
    if (toAgent !== undefined) await this.#toAgent(toAgent);
  }

  /** Passes on the answer to a request of the editor. */
  async #answer(line: Buffer, { id, result, error }: Fields): Promise<void> {
    const { editor } = this.#options;
    const pending = this.#pending.get(idKey(id));
    this.#pending.delete(idKey(id));
    const { method, sessionId, opening } = pending ?? {};
    const fields = fieldsOf(result);
    const isError = error !== undefined;
    if (method === "initialize") this.sessions.initialized(isError ? undefined : fields);
    if (method === "session/prompt") this.sessions.find(sessionId)?.answered({ isError });
    if ((method === "session/close" || method === "session/delete") && !isError) await this.sessions.close(sessionId);
    // A fork has a new id, and a loaded session the id of the request.
    const opened = textOf(fields.sessionId) || (method === "session/fork" ? "" : (sessionId ?? ""));
    if (opening !== undefined && (isError || opened === "")) await this.sessions.discard(opening);
    else if (opening !== undefined) await this.sessions.attach(opening, opened);
    await editor.send(method === "session/list" ? listFor(line, fields) : line);
    if (opening !== undefined && opening.id !== "") this.sessions.sendCommands(opening);
  }

  readonly #ask: AskEditor = async (method, params, signal) => {
    signal.throwIfAborted();
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    this.#asked.set(id, ({ result, error }) => {
      if (error === undefined) resolve(result);
      else reject(new Error(textOf(fieldsOf(error).message)));
    });
    this.#options.editor.send(toLine({ jsonrpc: "2.0", id, method, params })).catch(reject);
    return promise.finally(() => {
      this.#asked.delete(id);
      signal.removeEventListener("abort", stop);
    });
  };

  #reportOnce(line: string): void {
    if (this.#reported.has(line) || this.#reported.size > MOST_REPORTED) return;
    this.#reported.add(line);
    this.#options.report(line);
  }
}

/** Errors may contain something else each time. */
const MOST_REPORTED = 100;

/** The answer to a request that failed. */
export function errorLine(id: unknown, message: string): string {
  return toLine({ jsonrpc: "2.0", id, error: { code: -32_603, message } });
}
