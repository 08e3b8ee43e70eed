import type { Output } from "./io.ts";
import { printableJson } from "./printable.ts";

/**
 * Writes pieces of text in chunks, one after the other. All chunks share one buffer, so memory use does not grow with the
 * output.
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

/** Writes one or more lines. */
export async function writeLine(output: Output, ...lines: readonly string[]): Promise<void> {
  await write(output, [`${lines.join("\n")}\n`]);
}

/** Writes a value as indented JSON that is safe to print on a terminal. */
export async function writeJson(output: Output, value: unknown): Promise<void> {
  await writeLine(output, printableJson(value, 2));
}

/** The size of a chunk in characters: large enough to be fast, small enough to save memory. */
const BATCH = 16 * 1024;
/** The expected maximum length of a piece; a longer one is written in several chunks. */
const LONGEST = 4 * 1024;

function sendBytes(output: Output, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
