import { setImmediate } from "node:timers/promises";

/** How long a walk may hold up other work, in milliseconds. */
const SLICE = 5;

/** Returns a function for a loop over files: after some milliseconds of work, it lets other work run. */
export function createBreaks(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE) return;
    await setImmediate();
    start = performance.now();
  };
}
