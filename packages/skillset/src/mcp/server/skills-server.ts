import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
  type Transport,
} from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { CatalogOptions } from "../../core/catalog/catalog.ts";
import { checkPins } from "../../core/catalog/check-pins.ts";
import { openOwnSession } from "../../core/open-session.ts";
import type { OperationOptions } from "../../core/operations/bind-operations.ts";
import type { SessionLimits } from "../../core/session/options.ts";
import type { SessionTelemetry } from "../../core/session/telemetry.ts";
import type { Session } from "../../core/session.ts";
import type { Skillset } from "../../core/skillset.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { checkKind, checkMethods } from "../../core/text/describe-value.ts";
import { createMcpServer, instructionsFor, type McpServerSettings, type ServerInstructions } from "./mcp-server.ts";
import { PublishedSkills } from "./published-skills.ts";

/** Options for `createSkillsServer`. */
export interface SkillsServerOptions {
  /**
   * The server's name.
   * @default "skillset"
   */
  readonly name?: string;
  /**
   * The server's version.
   * @default the version of this package
   */
  readonly version?: string;
  /**
   * How the server's instructions format the catalog.
   * @default a Markdown list that, with the rules before it, has at most 4,096 characters
   */
  readonly catalog?: CatalogOptions;
  /**
   * Which operations are served as tools, and their names.
   * @default {}
   */
  readonly operations?: OperationOptions;
  /**
   * Whether user-invocable skills are served as prompts, which clients show as slash commands.
   * @default true
   */
  readonly prompts?: boolean;
  /**
   * Whether skills are also published through the Skills extension (SEP-2640).
   * @default true
   */
  readonly extension?: boolean;
  /**
   * Whether results have structured content.
   * @default true, except for clients that would show their model nothing else
   */
  readonly structured?: boolean;
  /**
   * Whether results have files: images as image content, data and other binary files as embedded resources. With `false`,
   * binary files are refused with an error, and data is text.
   * @default true
   */
  readonly files?: boolean;
  /**
   * Whether to omit `activate_skill` and `read_skill_file` for clients that support the extension.
   * @default false
   */
  readonly withholdTools?: boolean;
  /**
   * The number of entries on one page of a listing.
   * @default 20 skills, 100 prompts, 100 files
   */
  readonly pageSize?: number;
  /**
   * The limits of each client's session.
   * @default the limits of a session
   */
  readonly limits?: Partial<SessionLimits>;
  /** Observes the operations of all clients, like `skillset/opentelemetry`. */
  readonly telemetry?: SessionTelemetry;
  /**
   * The names of skills whose scripts run without a question, at any version. For other skills, the option `consent` of
   * the skillset's `scripts` decides, or else the client asks its user.
   * @default []
   */
  readonly allowScripts?: readonly string[];
  /** Called once for each skill that cannot be published through the extension. The tools still serve it. */
  readonly onProblem?: (problem: Problem) => void;
  /** Called with errors that no response reports. */
  readonly onError?: (error: Error) => void;
}

/** A connected client with its own session. */
export interface SkillsConnection {
  /** The client's session. */
  readonly session: Session;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  /** Closes the connection. */
  close(): Promise<void>;
}

/**
 * Serves skills over MCP. It opens no port itself: connect a transport, or mount `fetch`.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { createSkillsServer } from "skillset/mcp";
 *
 * const skillset = await createSkillset(["./skills"]);
 * const server = createSkillsServer(skillset, { onProblem: ({ message }) => console.error(message) });
 *
 * declare const request: Request;
 * const response = await server.fetch(request);
 * console.log(response.status);
 * ```
 */
export function createSkillsServer(skillset: Skillset, options: SkillsServerOptions = {}): SkillsServer {
  checkKind("The first argument of createSkillsServer()", "skillset", skillset);
  checkOptions("createSkillsServer()", options, OPTIONS);
  return new SkillsServer(skillset, options);
}

/** One client over a transport. */
interface Connection {
  /** The names of skills that the client's model finds in the instructions or in the schema of a tool. */
  seen: ReadonlySet<string> | undefined;
  notify(): void;
  close(): Promise<void>;
}

/** Serves a skillset over MCP. Create it with `createSkillsServer()`. */
export class SkillsServer {
  readonly #options: SkillsServerOptions;
  readonly #published: PublishedSkills;
  readonly #extension: SkillsExtension | undefined;
  readonly #handler: McpHttpHandler;
  readonly #connections = new Map<Session, Connection>();
  #skillset: Skillset;
  #instructions: ServerInstructions | undefined;

  constructor(skillset: Skillset, options: SkillsServerOptions) {
    this.#skillset = skillset;
    this.#options = options;
    const { extension = true, pageSize, allowScripts = [], onProblem, onError } = options;
    // A text would allow every skill whose name is a part of it.
    if (!Array.isArray(allowScripts))
      throw new SkillError("option-invalid", "'allowScripts' must be a list of names of skills.");
    const { telemetry } = options;
    if (telemetry !== undefined)
      checkMethods("The option 'telemetry' of createSkillsServer()", telemetry, ["follow", "record"]);
    if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize > 0))
      throw new SkillError("option-invalid", `'pageSize' must be a positive integer; got ${pageSize}.`);
    if (options.catalog?.pins !== undefined) checkPins(options.catalog.pins, skillset.skills);
    this.#published = new PublishedSkills(() => this.#skillset, { pageSize, onProblem });
    if (extension) {
      const onWarning = ({ path, message }: { path: string; message: string }): void =>
        onError?.(new Error(`${path}: ${message}`));
      this.#extension = new SkillsExtension({ source: this.#published, onWarning });
    }
    this.#handler = createMcpHandler(() => this.#serveRequest(), {
      maxRequestBodySize: 1024 * 1024,
      onerror: onError,
    });
  }

  /** The skillset that is served. */
  get skillset(): Skillset {
    return this.#skillset;
  }

  /** Why skills are not published through the extension. Skills are checked when a client requests them. */
  get problems(): readonly Problem[] {
    return this.#published.problems;
  }

  /** Answers one HTTP request. Requests are stateless: any instance can answer the next one. */
  readonly fetch = (request: Request, options?: { readonly authInfo?: AuthInfo }): Promise<Response> =>
    this.#handler.fetch(request, options);

  /** Serves one client over a transport until either side closes it. */
  async connect(transport: Transport, { showDirectory = false } = {}): Promise<SkillsConnection> {
    const session = await this.#open({ showDirectory });
    // Called again if a client probes with a newer protocol version than it then uses.
    let current: ReturnType<typeof createMcpServer> | undefined;
    const { onError } = this.#options;
    const start = transport.start.bind(transport);
    let started = Promise.resolve();
    transport.start = () => {
      started = start();
      return started;
    };
    const connection: Connection = {
      seen: undefined,
      notify: () => current?.notify(),
      close: () => handle.close(),
    };
    const handle = serveStdio(
      async () => {
        const { text, names } = instructionsFor(session, this.#options);
        connection.seen = names;
        current = this.#createServer(session, text, { seen: () => connection.seen, isLasting: true });
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
    // Registered before the start, so that no event is missed.
    this.#connections.set(session, connection);
    try {
      await started;
    } catch (error) {
      this.#connections.delete(session);
      throw error;
    }
    return { session, closed, close: () => handle.close() };
  }

  /** Replaces the skillset, for example after a reload, and notifies connected clients. */
  async update(skillset: Skillset): Promise<void> {
    if (skillset === this.#skillset) return;
    this.#skillset = skillset;
    this.#instructions = undefined;
    for (const [session, connection] of this.#connections) {
      // Use the field, not the argument: another update may have happened meanwhile.
      await session.use(this.#skillset);
      connection.seen = this.#namesInSchema(session) ?? connection.seen;
      connection.notify();
    }
    this.#handler.notify.toolsChanged();
    this.#handler.notify.promptsChanged();
    this.#handler.notify.resourcesChanged();
  }

  /** The client keeps its instructions. The names of a few skills are in the schema of the tools, which it lists again. */
  #namesInSchema(session: Session): ReadonlySet<string> | undefined {
    const { maxEnumNames = DEFAULTS.enumNames, fixedList } = this.#options.operations ?? {};
    const names = session.skillset.skills.filter(({ modelInvocable }) => modelInvocable).map(({ name }) => name);
    return !fixedList && names.length <= maxEnumNames ? new Set(names) : undefined;
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
    await this.#handler.close();
  }

  async #serveRequest(): Promise<McpServer> {
    const session = await this.#open();
    // The catalog is the same for every client, and most requests do not need it.
    this.#instructions ??= instructionsFor(session, this.#options);
    const { text, names } = this.#instructions;
    return this.#createServer(session, text, { seen: () => names, isLasting: false }).mcp;
  }

  async #open(options: { readonly showDirectory?: boolean } = {}): Promise<Session> {
    const { limits, telemetry } = this.#options;
    const own = { ...(limits && { limits }), ...(telemetry && { telemetry }), ...options };
    const session = await openOwnSession(this.#skillset, own);
    // The skills may have been replaced meanwhile.
    while (session.skillset !== this.#skillset) await session.use(this.#skillset);
    return session;
  }

  #createServer(session: Session, instructions: string, given: Pick<McpServerSettings, "seen" | "isLasting">) {
    return createMcpServer(session, { ...this.#options, ...given, instructions, extension: this.#extension });
  }
}

const OPTIONS: OptionTable<SkillsServerOptions> = {
  name: true,
  version: true,
  catalog: true,
  operations: true,
  prompts: true,
  extension: true,
  structured: true,
  files: true,
  withholdTools: true,
  pageSize: true,
  limits: true,
  telemetry: true,
  allowScripts: true,
  onProblem: true,
  onError: true,
};
