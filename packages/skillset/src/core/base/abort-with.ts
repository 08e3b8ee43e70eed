/**
 * Aborts a controller when a signal is, for the same reason unless another is given; stops with the returned function.
 * Not `AbortSignal.any`: a signal that lives as long as the program would keep everything that used it.
 */
export function abortWith(signal: AbortSignal | undefined, controller: AbortController, reason?: unknown): () => void {
  const abort = (): void => controller.abort(reason ?? signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return () => signal?.removeEventListener("abort", abort);
}
