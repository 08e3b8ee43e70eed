import { useCallback, useRef } from "react";

/** A function that runs the work once at a time: calls while it runs become one more run. */
export function useCoalesced(work: () => Promise<void>): () => Promise<void> {
  const latest = useRef(work);
  latest.current = work;
  const isRunning = useRef(false);
  const isWanted = useRef(false);
  return useCallback(async () => {
    isWanted.current = true;
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      while (isWanted.current) {
        isWanted.current = false;
        await latest.current();
      }
    } finally {
      isRunning.current = false;
    }
  }, []);
}
