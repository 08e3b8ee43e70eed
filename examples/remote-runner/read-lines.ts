import { ALIVE_EVERY } from "./protocol.ts";

/** Parses lines of JSON while they arrive. Throws if the sender is silent or a line has no end. */
export async function* readLines<Line>(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read());
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LONGEST_LINE) throw new Error("A line is too long.");
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const LONGEST_LINE = 50_000_000;

async function withDeadline<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The connection is silent.")), 6 * ALIVE_EVERY);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
