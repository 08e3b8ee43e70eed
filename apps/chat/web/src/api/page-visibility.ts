/**
 * Calls back when the page has been hidden for a while, and when it is visible again. Browsers allow six connections to a
 * server for all tabs together, so hidden pages give theirs back. Returns a function that ends it.
 */
export function onVisibility(listener: (isVisible: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTold = false;
  const check = () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") {
      timer = setTimeout(() => {
        isTold = true;
        listener(false);
      }, HIDDEN_FOR);
    } else if (isTold) {
      isTold = false;
      listener(true);
    }
  };
  document.addEventListener("visibilitychange", check);
  check();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", check);
  };
}

/** Resolves when the page is visible, or when the signal is aborted. */
export async function whenVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => {
    if (document.visibilityState === "visible") resolve();
  };
  document.addEventListener("visibilitychange", check);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  document.removeEventListener("visibilitychange", check);
}

/** Milliseconds. A short look at another tab changes nothing. */
const HIDDEN_FOR = 10_000;
