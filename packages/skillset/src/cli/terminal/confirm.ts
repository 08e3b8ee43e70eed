import { once } from "node:events";
import type { Io } from "./io.ts";
import { write } from "./write.ts";

/** Asks a question on the terminal. Any answer but yes means no, and so does closed input. */
export async function confirm(question: string, { stdin, stderr, signal }: Io): Promise<boolean> {
  if (!stdin.readable) return false;
  await write(stderr, [question]);
  const finished = new AbortController();
  const ending = { signal: AbortSignal.any([signal, finished.signal]) };
  try {
    const answered = Promise.race([
      once(stdin, "data", ending).then(([chunk]) => String(chunk)),
      once(stdin, "end", ending).then(() => ""),
    ]);
    // An earlier question paused it.
    stdin.resume();
    const answer = await answered;
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } finally {
    finished.abort();
    // A paused terminal does not keep the process alive.
    stdin.pause();
  }
}
