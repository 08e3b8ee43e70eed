import type { Output } from "./io.ts";
import { printableJson } from "./printable.ts";

/**
 * Writes pieces of text, in chunks, each when the one before has gone out. One buffer serves them all, so that however
 * long the output is, it takes no more memory than this.
 */
export async function write(output: Output, pieces: Iterable<string>): Promise<void> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(3 * (BATCH + LONGEST));
  const send = async (text: string): Promise<void> => {
    for (let start = 0; start < text.length; ) {
      const { read, written } = encoder.encodeInto(text.slice(start), buffer);
      start += read;
      await sendBytes(output, buffer.subarray(0, written));
    }
  };
  let batch = "";
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH) continue;
    await send(batch);
    batch = "";
  }
  await send(batch);
}

/** Writes one line, or several. */
export async function writeLine(output: Output, ...lines: readonly string[]): Promise<void> {
  await write(output, [`${lines.join("\n")}\n`]);
}

/** Writes a value as JSON, indented, for programs and terminals alike. */
export async function writeJson(output: Output, value: unknown): Promise<void> {
  await writeLine(output, printableJson(value, 2));
}

/** In characters: large enough that encoding and writing cost little, small enough to hold. */
const BATCH = 16 * 1024;
/** How long a piece usually is at most; a longer one takes several turns. */
const LONGEST = 4 * 1024;

function sendBytes(output: Output, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
