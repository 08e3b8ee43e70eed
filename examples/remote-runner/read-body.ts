import type { IncomingMessage } from "node:http";

/** A body that is refused, with the status of the answer. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Passes a body on in parts, up to a number of bytes. */
export async function receiveBody<Result>(
  request: IncomingMessage,
  maxBytes: number,
  use: (parts: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new BodyError(413, "The body is too large.");
  return use(bounded(request, maxBytes));
}

async function* bounded(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // The connection stays open after a refusal, so that the client can read the answer.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new BodyError(413, "The body is too large.");
    yield part;
  }
}

export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const parts: Uint8Array[] = [];
  await receiveBody(request, maxBytes, async (arriving) => {
    for await (const part of arriving) parts.push(part);
  });
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new BodyError(400, "The body is not JSON.");
  }
}
