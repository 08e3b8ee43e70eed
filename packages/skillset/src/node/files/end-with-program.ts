const RUNNING = new Set<() => void>();
let isHooked = false;

/** The signals that ask a program to end. */
export const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends something when this program exits, also by Ctrl-C, which does not reach processes in other sessions. Returns a
 * function that forgets it.
 */
export function endWithProgram(end: () => void): () => void {
  if (RUNNING.size === 0) for (const signal of END_SIGNALS) process.on(signal, endOnSignal);
  RUNNING.add(end);
  if (!isHooked) {
    isHooked = true;
    process.once("exit", () => {
      for (const one of RUNNING) one();
    });
  }
  return () => {
    if (RUNNING.delete(end) && RUNNING.size === 0) for (const signal of END_SIGNALS) process.off(signal, endOnSignal);
  };
}

/** If the program has its own signal handler, that handler decides. */
function endOnSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  for (const one of RUNNING) one();
  process.off(signal, endOnSignal);
  process.kill(process.pid, signal);
}
