import { onTestFinished, vi } from "vitest";

/** Holds every timer of exactly so many milliseconds, until the test ends their waiting. A busy machine breaks real ones. */
export function holdTimers(milliseconds: number): { readonly end: () => void } {
  const { setTimeout } = globalThis;
  const held: (() => void)[] = [];
  const hold = (callback: (...rest: unknown[]) => void, delay?: number, ...rest: unknown[]) => {
    if (delay !== milliseconds) return setTimeout(callback, delay, ...rest);
    held.push(() => callback(...rest));
    // Never runs, and can be cleared.
    return setTimeout(() => {}, 2 ** 31 - 1).unref();
  };
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return { end: () => void held.splice(0).map((callback) => callback()) };
}
