import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, type JsonObject } from "./json.ts";
import type { ServerSentEvent } from "./wire.ts";

/** Maximum size of a request. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export type ReadBody =
  | { readonly outcome: "read"; readonly body: JsonObject }
  | { readonly outcome: "refused"; readonly status: 400 | 413; readonly message: string };

/** Reads a JSON object with the required field. A request over the limit is read to its end but not kept, so that the client receives the answer. */
export async function readBody(request: IncomingMessage, required: string): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) return refused(413, `The request exceeds ${MAX_BODY_BYTES} bytes.`);
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    return refused(400, `The request's body is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(body)) return refused(400, "The request's body is not a JSON object.");
  if (body[required] === undefined) return refused(400, `The request has no '${required}'.`);
  return { outcome: "read", body };
}

function refused(status: 400 | 413, message: string): ReadBody {
  return { outcome: "refused", status, message };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendEvents(response: ServerResponse, events: readonly ServerSentEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { event, data } of events) {
    const name = event === undefined ? "" : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

/** Sends text instead of an answer. */
export function sendGarbage(response: ServerResponse, text: string, streamed: boolean): void {
  response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" }).end(text);
}
