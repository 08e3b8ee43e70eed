import { constants } from "node:os";
import { END_SIGNALS } from "../../../node/files/end-with-program.ts";

/** Aborts on the first signal, so that the agent is ended too. A second one exits at once. */
export function stopOnSignals(interrupted: AbortSignal) {
  const controller = new AbortController();
  let code = 0;
  const listeners = END_SIGNALS.map((name) => {
    const stop = (): void => {
      if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
      // Ctrl-C is the way to end the command at a terminal.
      code = name === "SIGINT" ? 0 : 128 + constants.signals[name];
      controller.abort();
    };
    process.on(name, stop);
    return () => void process.off(name, stop);
  });
  return {
    signal: AbortSignal.any([interrupted, controller.signal]),
    get code() {
      return code;
    },
    release: () => {
      for (const release of listeners) release();
    },
  };
}
