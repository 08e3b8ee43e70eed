import { useCallback, useRef } from "react";

/** A function that runs the work once at a time: calls while it runs become one more run. */
export function useCoalesced(work: () => Promise<void>): () => Promise<void> {
  const latest = useRef(work);
  latest.current = work;
  const state = useRef<"idle" | "running" | "wanted">("idle");
  return useCallback(async () => {
    if (state.current !== "idle") {
      state.current = "wanted";
      return;
    }
    do {
      state.current = "running";
      await latest.current();
    } while (state.current === ("wanted" as string));
    state.current = "idle";
  }, []);
}
