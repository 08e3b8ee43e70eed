import { createMcpHandler, type McpHttpHandler, type Transport } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { SkillError } from "../core/base/errors.ts";
import type { Problem } from "../core/base/problem.ts";
import type { CatalogOptions } from "../core/catalog/catalog.ts";
import type { OperationOptions } from "../core/operations/bind-operations.ts";
import type { SessionLimits } from "../core/session/options.ts";
import { Session } from "../core/session.ts";
import type { Skillset } from "../core/skillset.ts";
import { createMcpServer, instructionsFor } from "./mcp-server.ts";
import { PublishedSkills } from "./published-skills.ts";

export interface SkillsServerOptions {
  /** How the server calls itself. */
  readonly name?: string;
  readonly version?: string;
  /** How the catalog in the server's instructions looks; by default a Markdown list of at most 3,200 characters. */
  readonly catalog?: CatalogOptions;
  /** Which operations are tools, under which names. */
  readonly operations?: OperationOptions;
  /** Whether each skill that people may invoke is a prompt, which clients show as a slash command. */
  readonly prompts?: boolean;
  /** Whether skills are also published through the Skills extension (SEP-2640). */
  readonly extension?: boolean;
  /** Whether results have structured content; by default all but for clients that would show their model nothing else. */
  readonly structured?: boolean;
  /** Leave `activate_skill` and `read_skill_file` out for clients that say they use the extension. */
  readonly withholdTools?: boolean;
  /** How many skills, prompts or files one page of a listing has. */
  readonly pageSize?: number;
  readonly limits?: Partial<SessionLimits>;
  /** The largest request that `fetch` reads, in bytes. */
  readonly maxRequestBytes?: number;
  /** Told, once for each skill, why it is not published through the extension. The tools serve it nonetheless. */
  readonly onProblem?: (problem: Problem) => void;
  /** Told what went wrong outside any answer. */
  readonly onError?: (error: Error) => void;
}

/** One client that stays connected, with a session of its own. */
export interface SkillsConnection {
  readonly session: Session;
  /** Settles when the connection has ended, from either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves skills over MCP. It listens to nothing by itself: give it a transport, or mount `fetch`. */
export function createSkillsServer(skillset: Skillset, options: SkillsServerOptions = {}): SkillsServer {
  return new SkillsServer(skillset, options);
}

export class SkillsServer {
  readonly #options: SkillsServerOptions;
  readonly #published: PublishedSkills;
  readonly #extension: SkillsExtension | undefined;
  readonly #handler: McpHttpHandler;
  readonly #connections = new Map<Session, { notify(): void; close(): Promise<void> }>();
  #skillset: Skillset;
  #instructions: string | undefined;

  constructor(skillset: Skillset, options: SkillsServerOptions) {
    this.#skillset = skillset;
    this.#options = options;
    const { extension = true, pageSize, onProblem, onError } = options;
    if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize > 0))
      throw new SkillError("option-invalid", `'pageSize' must be a whole number from 1 on; got ${pageSize}.`);
    this.#published = new PublishedSkills(() => this.#skillset, { pageSize, onProblem });
    if (extension) {
      const onWarning = ({ path, message }: { path: string; message: string }): void =>
        onError?.(new Error(`${path}: ${message}`));
      this.#extension = new SkillsExtension({ source: this.#published, onWarning });
    }
    this.#handler = createMcpHandler(() => this.#serveRequest(), {
      maxRequestBodySize: options.maxRequestBytes ?? 1024 * 1024,
      onerror: onError,
    });
  }

  get skillset(): Skillset {
    return this.#skillset;
  }

  /** Why skills are not published through the extension, as far as clients have asked. */
  get problems(): readonly Problem[] {
    return this.#published.problems;
  }

  /** Answers one HTTP request. Every request stands alone: any instance can answer the next one. */
  readonly fetch = (request: Request): Promise<Response> => this.#handler.fetch(request);

  /** Serves one client over a transport until either side closes it. */
  async connect(transport: Transport, { showDirectory = false } = {}): Promise<SkillsConnection> {
    const session = new Session(this.#skillset, { ...this.#sessionOptions, showDirectory });
    // Asked for once more when a client probes in a newer protocol than it then speaks.
    let current: ReturnType<typeof createMcpServer> | undefined;
    const { onError } = this.#options;
    const start = transport.start.bind(transport);
    let started = Promise.resolve();
    transport.start = () => {
      started = start();
      return started;
    };
    const handle = serveStdio(
      () => {
        current = this.#createServer(session, instructionsFor(session, this.#options));
        return current.mcp;
      },
      { transport, onerror: onError },
    );
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { onclose } = transport;
    transport.onclose = () => {
      this.#connections.delete(session);
      onclose?.();
      resolve();
    };
    // Before it has started, so that nothing that happens meanwhile is missed.
    this.#connections.set(session, { notify: () => current?.notify(), close: () => handle.close() });
    try {
      await started;
    } catch (error) {
      this.#connections.delete(session);
      throw error;
    }
    return { session, closed, close: () => handle.close() };
  }

  /** Serves another set from now on, as after a reload, and tells the clients that are connected. */
  async update(skillset: Skillset): Promise<void> {
    if (skillset === this.#skillset) return;
    this.#skillset = skillset;
    this.#instructions = undefined;
    for (const [session, { notify }] of this.#connections) {
      // Not the one given: another update may have come meanwhile.
      await session.update(this.#skillset);
      notify();
    }
    this.#handler.notify.toolsChanged();
    this.#handler.notify.promptsChanged();
    this.#handler.notify.resourcesChanged();
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
    await this.#handler.close();
  }

  get #sessionOptions() {
    const { limits } = this.#options;
    return limits === undefined ? {} : { limits };
  }

  #serveRequest() {
    const session = new Session(this.#skillset, this.#sessionOptions);
    // The catalog is the same for everyone, and most requests do not ask for it.
    this.#instructions ??= instructionsFor(session, this.#options);
    return this.#createServer(session, this.#instructions).mcp;
  }

  #createServer(session: Session, instructions: string) {
    return createMcpServer(session, { ...this.#options, instructions, extension: this.#extension });
  }
}
