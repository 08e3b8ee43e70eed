import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";

interface ShowMoreProps {
  readonly list: RefObject<HTMLElement | null>;
  /** The number of loaded pages. */
  readonly pages: number;
  readonly onMore: () => void;
}

/** Loads the next page when the end of the list comes near, or when it is pressed. */
export function ShowMore({ list, pages, onMore }: ShowMoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page, the button may still be near
  useEffect(() => {
    if (button.current === null) return;
    const load = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
    };
    const observer = new IntersectionObserver(load, { root: list.current, rootMargin: "600px 0px" });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [list, pages, onMore]);
  // The last page removes the button. The focus continues at the last chat before the new ones.
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current !== null && current === document.activeElement) lastLink(list.current)?.focus();
    };
  }, [list]);
  return (
    <Button
      ref={button}
      look="quiet"
      className="show-more"
      onClick={() => {
        lastLink(list.current)?.focus();
        onMore();
      }}
    >
      Show more
    </Button>
  );
}

function lastLink(list: HTMLElement | null): HTMLElement | undefined {
  return [...(list?.querySelectorAll<HTMLElement>(".chat-row > a") ?? [])].at(-1);
}
