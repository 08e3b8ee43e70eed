import { type RefObject, useLayoutEffect, useRef } from "react";

/** Focuses the target when something that had the focus closes and nothing else received it. */
export function useFocusBack(isOpen: boolean, target: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) target.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, target]);
}
