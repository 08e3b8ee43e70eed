import type { Output } from "./io.ts";

/**
 * Writes pieces of text, in chunks, each when the one before has gone out. One buffer serves them all, so that however
 * long the output is, it takes no more memory than this.
 */
export async function write(output: Output, pieces: Iterable<string>): Promise<void> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(CHUNK);
  let end = 0;
  for (const piece of pieces) {
    for (let rest = piece; rest !== ""; ) {
      const { read, written } = encoder.encodeInto(rest, buffer.subarray(end));
      end += written;
      rest = rest.slice(read);
      if (rest === "") break;
      await send(output, buffer.subarray(0, end));
      end = 0;
    }
  }
  if (end > 0) await send(output, buffer.subarray(0, end));
}

/** Writes one line, or several. */
export async function writeLine(output: Output, ...lines: readonly string[]): Promise<void> {
  await write(output, [`${lines.join("\n")}\n`]);
}

/** Writes a value as JSON, indented. */
export async function writeJson(output: Output, value: unknown): Promise<void> {
  await writeLine(output, JSON.stringify(value, null, 2));
}

const CHUNK = 64 * 1024;

function send(output: Output, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
