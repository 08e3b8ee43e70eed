import { untilAborted } from "./until-aborted.ts";

/**
 * Returns a function that runs each piece of work after the one before it has settled. Work whose signal aborts before
 * its turn is left out.
 */
export function oneAfterTheOther(): <Value>(work: () => Promise<Value>, signal?: AbortSignal) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const done = untilAborted(signal, last).then(work);
    // Work that is left out ends before the one that it waited for.
    last = Promise.allSettled([last, done]);
    return done;
  };
}
