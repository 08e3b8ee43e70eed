/**
 * Ends a response of a model server that is too long, after it is decompressed, or that has a line which is: the SDK keeps
 * a line in memory until it ends, and parses it in one go.
 */
export async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(boundedBytes()), { status, statusText, headers });
}

export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";
}

/** Throws as soon as too many bytes come, or too many without a line break. */
function boundedBytes(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let [bytes, open] = [0, 0];
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      const end = chunk.lastIndexOf(LINE_FEED);
      open = end === -1 ? open + chunk.byteLength : chunk.byteLength - end - 1;
      if (bytes <= MOST && open <= LINE) return controller.enqueue(chunk);
      throw new ResponseTooLargeError("The response is too large.");
    },
  });
}

const LINE_FEED = 10;
/** An answer has up to 4 MiB. As single tokens, each in an object of some hundred bytes, it is far longer. */
const MOST = 256 * 1024 * 1024;
const LINE = 8 * 1024 * 1024;
