/** Runs an action once nothing has changed for a while, and never twice at the same time. */
export function whenQuiet(action: () => Promise<void>, debounce: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingSince: number | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  return {
    schedule(): void {
      if (isStopped) return;
      clearTimeout(timer);
      waitingSince ??= Date.now();
      // A file that is written constantly must not delay the action forever.
      const longest = waitingSince + debounce * LONGEST_WAIT - Date.now();
      timer = setTimeout(
        () => {
          waitingSince = undefined;
          running = running.then(action);
        },
        Math.max(0, Math.min(debounce, longest)),
      );
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** The longest wait for an action, as a multiple of the debounce. */
const LONGEST_WAIT = 10;
