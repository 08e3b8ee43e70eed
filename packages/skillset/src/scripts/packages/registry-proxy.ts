import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface RegistryProxyOptions {
  /** The path of the Unix socket to listen on. */
  readonly socket: string;
  /** The only origins that can be reached, such as `https://pypi.org`. */
  readonly origins: readonly string[];
  /** How many bytes may arrive from them in all. */
  readonly maxBytes: number;
  /** How long a connection may be idle, and its header may take, in milliseconds. */
  readonly idleTime?: number;
}

export interface RegistryProxy {
  /** What was asked for and refused, such as `CONNECT example.com:443`. */
  readonly refused: readonly string[];
  /** The hosts that were asked for and could not be reached. */
  readonly unreachable: readonly string[];
  /** Whether more than `maxBytes` were to arrive, so that connections were cut. */
  readonly isExceeded: boolean;
  close(): Promise<void>;
}

/** How a note starts about registries that could not be reached. */
export const UNREACHABLE = "The registry could not be reached: this machine has no connection to ";

const MOST_CONNECTIONS = 64;
const LARGEST_HEADER = 8_192;
const MOST_REFUSALS = 20;

/**
 * An HTTP proxy on a Unix socket that reaches the given origins and nothing else: `CONNECT` for https, `GET` and `HEAD`
 * with a full address for http. It is the only way out of the sandbox while packages are installed.
 */
export async function openRegistryProxy(options: RegistryProxyOptions): Promise<RegistryProxy> {
  const { socket: path, origins, maxBytes, idleTime = 30_000 } = options;
  const refused: string[] = [];
  const unreachable = new Set<string>();
  const sockets = new Set<Duplex>();
  let bytes = 0;
  const track = <Stream extends Duplex>(stream: Stream): Stream => {
    sockets.add(stream);
    stream.once("close", () => sockets.delete(stream)).on("error", () => stream.destroy());
    return stream;
  };
  const count = (chunk: Buffer): boolean => {
    bytes += chunk.length;
    return bytes <= maxBytes;
  };
  const note = (what: string): void => {
    if (refused.length < MOST_REFUSALS) refused.push(what.slice(0, 200));
  };

  const tunnel = (asked: IncomingMessage, client: Duplex, head: Buffer): void => {
    track(client);
    const target = tunnelTarget(asked.url ?? "", origins);
    if (target === undefined) {
      note(`CONNECT ${asked.url}`);
      client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    const remote = track(connect(target));
    const fail = (): void => void unreachable.add(target.host);
    remote.once("error", fail).setTimeout(idleTime, () => {
      if (remote.connecting) fail();
      remote.destroy();
    });
    remote.once("connect", () => {
      remote.off("error", fail);
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) remote.write(head);
      client.pipe(remote);
    });
    remote.on("data", (chunk: Buffer) => void (count(chunk) || remote.destroy()));
    remote.pipe(client);
    remote.once("close", () => client.destroy());
    client.once("close", () => remote.destroy());
  };

  const forward = (asked: IncomingMessage, answer: ServerResponse): void => {
    const url = forwardTarget(asked, origins);
    if (url === undefined) {
      note(`${asked.method} ${asked.url}`);
      answer.writeHead(403, { connection: "close", "content-length": "0" }).end();
      return;
    }
    // The host of the address, not the one of the request: it must not choose another site of the same server.
    const headers = { ...forwardedHeaders(asked), host: url.host };
    const sent = request(url, { method: asked.method ?? "GET", headers, timeout: idleTime });
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => {
      if (!answer.headersSent) unreachable.add(url.hostname);
    });
    sent.once("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    sent.once("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.on("data", (chunk: Buffer) => void (count(chunk) || answer.destroy()));
      response.once("error", () => answer.destroy()).pipe(answer);
    });
    answer.once("close", () => sent.destroy());
    sent.end();
  };

  const server = createServer({ maxHeaderSize: LARGEST_HEADER, connectionsCheckingInterval: 1_000 }, forward);
  server.maxConnections = MOST_CONNECTIONS;
  server.headersTimeout = Math.min(idleTime, 10_000);
  server.requestTimeout = idleTime;
  server.on("connect", tunnel);
  server.on("upgrade", (_asked, client: Duplex) => client.destroy());
  server.on("connection", (client: Socket) => track(client).setTimeout(idleTime, () => client.destroy()));
  await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(path, resolve));
  return {
    refused,
    get unreachable() {
      return [...unreachable];
    },
    get isExceeded() {
      return bytes > maxBytes;
    },
    close: async () => {
      for (const one of sockets) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `host:port` exactly as an origin has it. Another spelling is another host. */
function tunnelTarget(asked: string, origins: readonly string[]): { host: string; port: number } | undefined {
  for (const { protocol, hostname, port } of origins.map((origin) => new URL(origin))) {
    const number = port === "" ? 443 : Number(port);
    if (protocol === "https:" && asked.toLowerCase() === `${hostname}:${number}`)
      return { host: hostname.replace(/^\[|\]$/g, ""), port: number };
  }
  return undefined;
}

function forwardTarget({ url = "", method, headers }: IncomingMessage, origins: readonly string[]): URL | undefined {
  if ((method !== "GET" && method !== "HEAD") || !URL.canParse(url)) return undefined;
  // A request with a body is none of an installer.
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0) return undefined;
  const target = new URL(url);
  if (target.protocol !== "http:" || target.username !== "" || target.password !== "") return undefined;
  return origins.includes(target.origin) ? target : undefined;
}

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    ["accept", "accept-encoding", "authorization", "user-agent", "npm-command", "if-none-match"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
