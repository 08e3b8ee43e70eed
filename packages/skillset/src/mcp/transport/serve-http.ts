import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS } from "../../core/base/limits.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { authorize } from "./authorize.ts";
import { checkServer } from "./check-server.ts";
import { checkOAuthOptions, type OAuthOptions, openOAuthGate } from "./require-oauth.ts";
import { type FetchServer, toNodeHandler } from "./to-node-handler.ts";

/** Options for `serveHttp`. */
export interface ServeHttpOptions {
  /**
   * The port to listen on; 0 selects a free one.
   * @default 0
   */
  readonly port?: number;
  /**
   * The address to listen on. Addresses other than loopback require `allowedHosts`.
   * @default "127.0.0.1"
   */
  readonly host?: string;
  /**
   * The token that clients must send as `Authorization: Bearer …`.
   * @default a random token
   */
  readonly token?: string;
  /** Accepts access tokens of authorization servers instead of one token for all clients. */
  readonly oauth?: OAuthOptions;
  /**
   * The host names, without ports, under which clients may reach the server.
   * @default the names of the loopback addresses
   */
  readonly allowedHosts?: readonly string[];
  /**
   * The host names of web pages that may call the server.
   * @default the value of `allowedHosts`
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * How long a connection may stay open without a request, and how long a request may take to arrive, in milliseconds.
   * @default 60_000
   */
  readonly idleTimeout?: number;
  /**
   * Whether the server keeps the program running.
   * @default true
   */
  readonly keepsAlive?: boolean;
}

/** A listening server. */
export interface SkillsListener {
  /** The URL of the MCP endpoint. */
  readonly url: string;
  /** The bearer token that clients must send. */
  readonly token: string;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/** A listening server. It has no `token` if clients get theirs from an authorization server. */
export type OAuthListener = Omit<SkillsListener, "token"> & Partial<Pick<SkillsListener, "token">>;

/**
 * Serves MCP over streamable HTTP. By default it listens on loopback only. It always requires the token or, with
 * `oauth`, an access token that was issued for it.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { createSkillsServer, serveHttp } from "skillset/mcp";
 *
 * const server = createSkillsServer(await createSkillset(["./skills"]));
 * const { url, token } = await serveHttp(server, { port: 3000 });
 * console.log(`Connect to ${url} with the token ${token}`);
 * ```
 */
export function serveHttp(
  server: FetchServer,
  options?: ServeHttpOptions & { readonly oauth?: never },
): Promise<SkillsListener>;
export function serveHttp(server: FetchServer, options: ServeHttpOptions): Promise<OAuthListener>;
export async function serveHttp(server: FetchServer, options: ServeHttpOptions = {}): Promise<OAuthListener> {
  checkServer("serveHttp()", server);
  checkOptions("serveHttp()", options, OPTIONS);
  const { port = 0, host = "127.0.0.1", idleTimeout = DEFAULTS.idleTimeout, oauth } = options;
  const token = options.token ?? randomBytes(32).toString("base64url");
  if (!/^[\x21-\x7e]{16,512}$/.test(token)) {
    const message = "The token must have at least 16 characters and no spaces. Omit it to get a random one.";
    throw new SkillError("option-invalid", message);
  }
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new SkillError("option-invalid", `'port' must be an integer from 0 to 65535; got ${port}.`);
  checkOAuth(options);
  let url = "";
  const tokens = oauth === undefined ? token : await openOAuthGate(oauth, () => url);
  const answer = authorize(server, { ...options, host, tokens });
  // By default, Node checks connections only every 30 seconds, whatever the timeouts are.
  const http = createServer(
    { connectionsCheckingInterval: Math.min(idleTimeout, 10_000) },
    toNodeHandler({ fetch: answer }),
  );
  http.keepAliveTimeout = idleTimeout;
  http.requestTimeout = idleTimeout;
  http.headersTimeout = Math.min(idleTimeout, 10_000);
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    http.listen(port, host, resolve);
  });
  // An open client connection must not keep the program running either.
  if (options.keepsAlive === false) http.unref().on("connection", (socket) => socket.unref());
  const { address, family, port: actual } = http.address() as AddressInfo;
  url = `http://${family === "IPv6" ? `[${address}]` : address}:${actual}/mcp`;
  return {
    url,
    ...(oauth === undefined && { token }),
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
    },
  };
}

function checkOAuth({ oauth, token, allowedHosts }: ServeHttpOptions): void {
  if (oauth === undefined) return;
  checkOAuthOptions("The option 'oauth' of serveHttp()", oauth);
  if (token !== undefined)
    throw new SkillError(
      "option-invalid",
      "Set either 'token' or 'oauth': with 'oauth', each client has its own token.",
    );
  if (allowedHosts !== undefined && oauth.resource === undefined)
    throw new SkillError(
      "option-invalid",
      "'oauth.resource' must be the URL that clients use if 'allowedHosts' is set.",
    );
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): SkillError {
  const reason =
    code === "EADDRINUSE"
      ? "the port is already in use; choose another port, or 0 for a free one"
      : code === "EACCES"
        ? "the port requires elevated privileges; choose one above 1023"
        : message;
  return new SkillError("option-invalid", `Cannot listen on ${host}:${port}: ${reason}.`);
}

const OPTIONS: OptionTable<ServeHttpOptions> = {
  port: true,
  host: true,
  token: true,
  oauth: true,
  allowedHosts: true,
  allowedOrigins: true,
  idleTimeout: true,
  keepsAlive: true,
};
