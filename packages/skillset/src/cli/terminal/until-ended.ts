import { constants } from "node:os";

/**
 * Runs an action with a signal that SIGTERM and SIGHUP abort too, so that the action can clean up before the process
 * ends. Returns the exit code for the signal if one was received.
 */
export async function untilEnded(
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<unknown>,
): Promise<number | undefined> {
  const ended = new AbortController();
  let code: number | undefined;
  const listeners = (["SIGTERM", "SIGHUP"] as const).map((name) => {
    const listener = (): void => {
      code ??= 128 + constants.signals[name];
      ended.abort();
    };
    process.once(name, listener);
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
