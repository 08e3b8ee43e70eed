import type { Output } from "./io.ts";
import { printableJson } from "./printable.ts";

/**
 * Writes pieces of text in chunks, one after the other. All chunks share one buffer, so memory use does not grow with the
 * output. Encodes each piece on its own: joining them first takes twice as long.
 */
export async function write(output: Output, pieces: Iterable<string>): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  let length = 0;
  const flush = async (): Promise<void> => {
    if (length > 0) await sendBytes(output, buffer.subarray(0, length));
    length = 0;
  };
  for (const piece of pieces) {
    const most = piece.length * BYTES_PER_UNIT;
    if (length + most > CHUNK) await flush();
    if (most > CHUNK) await sendBytes(output, Buffer.from(piece));
    else length += buffer.write(piece, length);
  }
  await flush();
}

/** Writes one or more lines. */
export async function writeLine(output: Output, ...lines: readonly string[]): Promise<void> {
  await write(output, [`${lines.join("\n")}\n`]);
}

/** Writes a value as indented JSON that is safe to print on a terminal. */
export async function writeJson(output: Output, value: unknown): Promise<void> {
  await writeLine(output, printableJson(value, 2));
}

/** The size of a chunk in bytes: large enough to be fast, small enough to save memory. */
const CHUNK = 64 * 1024;
/** The most bytes that UTF-8 needs for one unit of a string. */
const BYTES_PER_UNIT = 3;

function sendBytes(output: Output, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
