import { useEffect, useRef } from "react";
import { isCovered } from "../ui/is-covered.ts";

/** Stops the running answer with Escape, unless the key closes, clears or cancels something. */
export function useEscapeToStop(isBusy: boolean, stop: () => void): void {
  const latest = useRef(stop);
  latest.current = stop;
  useEffect(() => {
    if (!isBusy) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || isCovered()) return;
      if (event.target instanceof HTMLInputElement && event.target.value !== "") return;
      latest.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isBusy]);
}
