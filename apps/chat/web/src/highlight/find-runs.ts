import type { HighlightRequest, HighlightResponse, Run } from "./messages.ts";

/** Finds the pieces of code that are coloured, in a worker that starts with the first one. Failures find none. */
export async function findRuns(text: string, language: string): Promise<readonly Run[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Run[]>();
  const request: HighlightRequest = { id: ++lastId, text, language };
  waiting.set(request.id, resolve);
  worker ??= startWorker();
  worker.postMessage(request);
  // A grammar that does not finish holds up the others.
  const timer = setTimeout(restart, TIMEOUT);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

const TIMEOUT = 5_000;
const waiting = new Map<number, (runs: readonly Run[]) => void>();
let worker: Worker | undefined;
let lastId = 0;

function startWorker(): Worker {
  const started = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightResponse>) => {
    waiting.get(data.id)?.(data.runs);
    waiting.delete(data.id);
  });
  started.addEventListener("error", restart);
  return started;
}

function restart(): void {
  worker?.terminate();
  worker = undefined;
  for (const resolve of waiting.values()) resolve([]);
  waiting.clear();
}
