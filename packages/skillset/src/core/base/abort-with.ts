/**
 * Aborts a controller when the signal aborts, with the signal's reason by default. The returned function detaches it.
 * Does not use `AbortSignal.any`: a signal that lives as long as the program would retain everything that used it.
 */
export function abortWith(signal: AbortSignal | undefined, controller: AbortController, reason?: unknown): () => void {
  const abort = (): void => controller.abort(reason ?? signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
