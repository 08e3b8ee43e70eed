/** The content of a request. Whoever stops reading early leaves the connection open, so that a response can be sent. */
export function bodyOf({ body }: Request): AsyncIterable<Uint8Array> {
  return body?.values({ preventCancel: true }) ?? NOTHING;
}

/** Reads what a client is still sending, at most so many bytes: many clients read the response only after that. */
export async function drainBody(request: Request, most: number): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of bodyOf(request)) {
      bytes += chunk.byteLength;
      if (bytes > most) return;
    }
  } catch {
    // The client is gone.
  }
}

const NOTHING: AsyncIterable<Uint8Array> = ReadableStream.from<Uint8Array>([]);
