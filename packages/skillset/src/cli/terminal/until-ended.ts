import { constants } from "node:os";
import { END_SIGNALS } from "../../node/files/end-with-program.ts";

/**
 * Runs an action with a signal that SIGTERM and SIGHUP abort too, so that the action can clean up before the process
 * ends. Returns the exit code for the signal if one was received. A second one ends the process immediately.
 */
export async function untilEnded(
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<unknown>,
): Promise<number | undefined> {
  const ended = new AbortController();
  let code: number | undefined;
  const listeners = END_SIGNALS.map((name) => {
    const listener = (): void => {
      if (code !== undefined) process.exit(code);
      code = 128 + constants.signals[name];
      ended.abort();
    };
    // Not once: without a listener, a signal ends the program together with the scripts that it runs.
    process.on(name, listener);
    return { name, listener };
  });
  try {
    await action(AbortSignal.any([signal, ended.signal]));
  } catch (error) {
    if (code === undefined) throw error;
  } finally {
    for (const { name, listener } of listeners) process.off(name, listener);
  }
  return code;
}
