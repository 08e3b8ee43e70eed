import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Keeps the end in view while content grows, until the user scrolls up. */
export function useStickToEnd(content: unknown) {
  const scroller = useRef<HTMLDivElement>(null);
  const isSticking = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const stick = useCallback(() => {
    isSticking.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is the reason to scroll
  useLayoutEffect(() => {
    if (isSticking.current) stick();
  }, [content, stick]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const follow = () => {
      const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
      isSticking.current = distance < 48;
      setAtEnd(distance < 160);
    };
    element.addEventListener("scroll", follow, { passive: true });
    return () => element.removeEventListener("scroll", follow);
  }, []);
  return { scroller, isAtEnd, stick };
}
