/** A whole line, or a part of a line that is too long to keep. Each has its line end. */
export type Piece =
  | { readonly kind: "line"; readonly bytes: Buffer }
  | { readonly kind: "part"; readonly bytes: Buffer; readonly isLast: boolean };

/** Splits a stream into lines. A line that is longer than the limit is passed on in parts, as it arrives. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>, limit: number): AsyncGenerator<Piece> {
  let kept: Buffer[] = [];
  let size = 0;
  let isLong = false;
  const take = (): Buffer => {
    const bytes = Buffer.concat(kept);
    kept = [];
    size = 0;
    return bytes;
  };
  for await (const given of input) {
    const chunk =
      typeof given === "string" ? Buffer.from(given) : Buffer.from(given.buffer, given.byteOffset, given.length);
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, start) + 1;
      const bytes = chunk.subarray(start, end || chunk.length);
      start += bytes.length;
      if (isLong) {
        isLong = end === 0;
        yield { kind: "part", bytes, isLast: !isLong };
        continue;
      }
      kept.push(bytes);
      size += bytes.length;
      if (end !== 0) yield { kind: "line", bytes: take() };
      else if (size > limit) {
        isLong = true;
        yield { kind: "part", bytes: take(), isLast: false };
      }
    }
  }
  if (isLong) yield { kind: "part", bytes: Buffer.from("\n"), isLast: true };
  else if (size > 0) yield { kind: "line", bytes: Buffer.concat([take(), Buffer.from("\n")]) };
}

const NEWLINE = 10;
