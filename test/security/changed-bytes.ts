/** Changed bytes of each file: 2,500 in the full run. */
export const CASES = Math.min(Number(process.env.CASES ?? 250), 2_500);

/** Returns copies of some bytes, each with one other byte. */
export function* changesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let state = 23;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let index = 0; index < CASES; index++) {
    const at = next(bytes.length);
    yield bytes.with(at, (bytes[at] ?? 0) ^ (1 + next(255)));
  }
}

/** Returns what JSON contains; undefined if it is none. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
