import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { checkServer } from "./check-server.ts";

/** Answers a web `Request`, as `createSkillsServer` does. */
export interface FetchServer {
  /** `authInfo` is the caller, if the token of the request identifies one. */
  fetch(request: Request, options?: { readonly authInfo?: AuthInfo }): Promise<Response>;
}

/**
 * Turns a server into a handler for Express and `node:http`, whose requests are not a web `Request`.
 * It checks no token: authenticate the client first.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { createSkillset } from "skillset";
 * import { createSkillsServer, toNodeHandler } from "skillset/mcp";
 *
 * const server = createSkillsServer(await createSkillset(["./skills"]));
 * createServer(toNodeHandler(server)).listen(8808, "127.0.0.1");
 * ```
 */
export function toNodeHandler(
  server: FetchServer,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  checkServer("toNodeHandler()", server);
  return async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    try {
      const response = await server.fetch(toRequest(incoming, gone.signal));
      // Whether the connection is kept is between the client and Node.
      const { connection: _connection, ...headers } = Object.fromEntries(response.headers);
      outgoing.writeHead(response.status, headers);
      if (response.body === null) outgoing.end();
      else if (response.headers.get("content-type")?.startsWith("application/json"))
        outgoing.end(Buffer.from(await response.arrayBuffer()));
      else await pipeline(Readable.fromWeb(response.body as never), outgoing);
    } catch {
      // The client has disconnected, or the request is not valid HTTP for the web's `Request`.
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    }
    // Unread bytes would block the next request on this connection.
    incoming.removeAllListeners("data").resume();
  };
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", headers, url = "/" } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((one): [string, string] => [name, one]),
  );
  // The Host header is checked before it is believed.
  return new Request(new URL(url, "http://localhost"), {
    method,
    headers: pairs,
    body: method === "GET" || method === "HEAD" ? null : bodyOf(incoming),
    signal,
    duplex: "half",
  } as RequestInit);
}

/** A parser such as `express.json()` leaves nothing to read: the value is in `body`. */
function bodyOf(incoming: IncomingMessage & { readonly body?: unknown }): ReadableStream | string | Uint8Array {
  const { body, readableDidRead } = incoming;
  if (!readableDidRead || body === undefined) return Readable.toWeb(incoming) as ReadableStream;
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}
