import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS } from "../../core/base/limits.ts";
import { type FetchServer, toNodeHandler } from "./to-node-handler.ts";

export interface ServeHttpOptions {
  /** 0 picks a free one. */
  readonly port?: number;
  readonly host?: string;
  /** What clients must send as `Authorization: Bearer …`; random unless given. */
  readonly token?: string;
  /** Host names, without port, by which clients may call the server; those of this machine itself by default. */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may call it; the same as `allowedHosts` by default. */
  readonly allowedOrigins?: readonly string[];
  /** How long a connection may be open without a request, and a request may take to arrive, in milliseconds. */
  readonly idleTimeout?: number;
  /** Whether the program goes on running for as long as the server listens; so by default. */
  readonly keepsAlive?: boolean;
}

/** A server that is listening. */
export interface SkillsListener {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Listens for MCP over streamable HTTP: this machine only, and only for who has the token, unless told otherwise. */
export async function serveHttp(server: FetchServer, options: ServeHttpOptions = {}): Promise<SkillsListener> {
  const {
    port = 0,
    host = "127.0.0.1",
    token = randomBytes(32).toString("base64url"),
    idleTimeout = DEFAULTS.idleTimeout,
  } = options;
  if (!/^[\x21-\x7e]{16,512}$/.test(token)) {
    const message = "The token must have at least 16 characters and no spaces; leave it out for a random one.";
    throw new SkillError("option-invalid", message);
  }
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new SkillError("option-invalid", `A port is a whole number up to 65535, not ${port}.`);
  const answer = guard(server, { ...options, host, token });
  // Node looks every half minute by itself, whatever the timeouts are.
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
  // Nor does a client that stays connected.
  if (options.keepsAlive === false) http.unref().on("connection", (socket) => socket.unref());
  const { address, family, port: actual } = http.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actual}/mcp`,
    token,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      await closed;
    },
  };
}

type Answer = (request: Request) => Promise<Response>;

/** Checks, each on its own, the Host, the Origin, the path and the token, before anything is read. */
function guard(
  server: FetchServer,
  options: ServeHttpOptions & { readonly host: string; readonly token: string },
): Answer {
  const hosts = allowedHosts(options);
  const origins = options.allowedOrigins === undefined ? hosts : hostNames("allowedOrigins", options.allowedOrigins);
  const expected = digest(options.token);
  return async (request) => {
    const refused = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
    if (refused !== undefined) return refused;
    if (new URL(request.url).pathname !== "/mcp")
      return refuse(404, "There is nothing here: the address ends in /mcp.");
    const [, given = ""] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (!timingSafeEqual(digest(given), expected)) {
      return refuse(401, "The bearer token is missing or wrong.", { "www-authenticate": "Bearer" });
    }
    return server.fetch(request);
  };
}

function allowedHosts({ host, allowedHosts: given }: ServeHttpOptions & { readonly host: string }): string[] {
  const local = localhostAllowedHostnames();
  const isLocal = local.includes(host) || local.includes(`[${host}]`);
  if (given === undefined && !isLocal) {
    const message = `'${host}' can be reached from other machines: name the hosts by which clients call it ('allowedHosts').`;
    throw new SkillError("option-invalid", message);
  }
  return [...hostNames("allowedHosts", given ?? []), ...(isLocal ? local : [])];
}

/** As browsers and clients send them: in lower case, and without a port, which any may have. */
function hostNames(option: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const url = URL.parse(`http://${name.includes("::") && !name.startsWith("[") ? `[${name}]` : name}`);
    if (url?.pathname === "/" && url.port === "" && url.username === "" && !/[:/]\d*$/.test(name.replace(/\]$/, "")))
      return url.hostname;
    throw new SkillError(
      "option-invalid",
      `'${option}' takes the names of hosts, without scheme or port; got '${name}'.`,
    );
  });
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }, { status, headers });
}

/** Hashed first, so that a comparison takes as long for any length. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): SkillError {
  const reason =
    code === "EADDRINUSE"
      ? "another program listens there; choose another port, or 0 for a free one"
      : code === "EACCES"
        ? "that port needs more rights; choose one above 1023"
        : message;
  return new SkillError("option-invalid", `Cannot listen on ${host}:${port}: ${reason}.`);
}
