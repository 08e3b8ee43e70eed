import { abortWith } from "../base/abort-with.ts";
import { untilAborted } from "../base/until-aborted.ts";

/** How to call a model. */
export interface EmbeddingCalls {
  doEmbed(texts: string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
  limits(): Promise<{ readonly texts?: number | undefined; readonly isParallel?: boolean | undefined }>;
}

/** A vector of length 1, so that the product of two is their similarity. */
export type Vector = Float32Array;

/**
 * Embeds texts within the limits of the model. `onVectors` gets the vectors of each call as soon as they arrive, with the
 * place of the first. Rejects if a call fails or returns anything but one vector of numbers for each text.
 */
export async function embedTexts(
  { doEmbed, limits }: EmbeddingCalls,
  texts: readonly string[],
  onVectors: (start: number, vectors: readonly Vector[]) => void,
): Promise<void> {
  const { texts: most = TEXTS_IN_CALL, isParallel = false } = await limits();
  const size = Math.max(1, Math.min(TEXTS_IN_CALL, Math.floor(most) || 1));
  const stopping = new AbortController();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < texts.length && !stopping.signal.aborted) {
      const start = next;
      next += size;
      const batch = texts.slice(start, start + size).map((text) => text.slice(0, TEXT_CHARACTERS));
      onVectors(start, toVectors(await call(doEmbed, batch, stopping.signal), batch.length));
    }
  };
  try {
    await Promise.all(Array.from({ length: isParallel ? CALLS_AT_ONCE : 1 }, work));
  } finally {
    // One call failed, so the results of the others are not needed.
    stopping.abort();
  }
}

/** Checks a vector, and scales it to the length 1. */
export function toVector(numbers: readonly number[]): Vector {
  const vector = Float32Array.from(numbers);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (vector.length === 0 || !Number.isFinite(length))
    throw new TypeError("The embedding model returned a vector that is empty or has values that are not numbers.");
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Throws if the vectors cannot be compared. */
export function checkLengths(vectors: readonly Vector[]): void {
  const [first] = vectors;
  const other = vectors.find(({ length }) => length !== first?.length);
  if (other !== undefined)
    throw new TypeError(`The embedding model returned vectors of ${first?.length} and of ${other.length} numbers.`);
}

const TEXTS_IN_CALL = 100;
const CALLS_AT_ONCE = 4;
/** Small models read no more than this. The name and description of a skill are shorter. */
const TEXT_CHARACTERS = 2_000;
const CALL_MILLISECONDS = 60_000;

async function call(
  doEmbed: EmbeddingCalls["doEmbed"],
  texts: string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const controller = new AbortController();
  const detach = abortWith(signal, controller);
  const tooLate = new Error(`The embedding model did not answer within ${CALL_MILLISECONDS / 1_000} seconds.`);
  const timer = setTimeout(() => controller.abort(tooLate), CALL_MILLISECONDS);
  try {
    return await untilAborted(controller.signal, doEmbed(texts, controller.signal));
  } finally {
    clearTimeout(timer);
    detach();
  }
}

function toVectors(given: readonly (readonly number[])[], count: number): readonly Vector[] {
  if (!Array.isArray(given) || given.length !== count) {
    const got = Array.isArray(given) ? `${given.length} vectors` : "no list of vectors";
    throw new TypeError(`The embedding model returned ${got} for ${count} texts.`);
  }
  const vectors = given.map(toVector);
  checkLengths(vectors);
  return vectors;
}
