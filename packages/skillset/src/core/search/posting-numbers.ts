// biome-ignore-all lint/style/noNonNullAssertion: the arrays have these places.
/** The numbers of documents, in two bytes where they fit: a large index has millions. */
export type DocumentNumbers = Uint16Array | Uint32Array;

/** Returns room for the numbers of a segment with `size` documents. */
export function documentNumbers(size: number): Uint16ArrayConstructor | Uint32ArrayConstructor {
  return size <= 0x10000 ? Uint16Array : Uint32Array;
}

/** Rounds a count to the upper half of a 32-bit float, within 0.4 %: a skill's rank hardly depends on more. */
export function encodeCount(count: number): number {
  ENCODED[0] = count;
  return (BITS[0]! + 0x8000) >>> 16;
}

export function decodeCount(code: number): number {
  return DECODED[code]!;
}

const ENCODED = new Float32Array(1);
const BITS = new Uint32Array(ENCODED.buffer);
const DECODED = new Float32Array(Uint32Array.from({ length: 0x8000 }, (_, code) => code << 16).buffer);
