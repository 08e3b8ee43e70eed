import { useCallback, useEffect, useRef, useState } from "react";

/** Keeps the end in view while the content grows, until the user scrolls up. */
export function useStickToEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isSticking = useRef(true);
  const lastTop = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);

  const stick = useCallback(() => {
    isSticking.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
    lastTop.current = scroller.current?.scrollTop ?? 0;
  }, []);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || content.current === null) return;
    const follow = () => {
      const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
      // Only the user moves up. A distance without that is new content, which is followed below.
      if (distance < 48) isSticking.current = true;
      else if (element.scrollTop < lastTop.current) isSticking.current = false;
      lastTop.current = element.scrollTop;
      setAtEnd(distance < 160);
    };
    // Runs before the next paint, whatever grew: a message, a card, a note or an error.
    const growth = new ResizeObserver(() => (isSticking.current ? stick() : follow()));
    growth.observe(content.current);
    growth.observe(element);
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      growth.disconnect();
      element.removeEventListener("scroll", follow);
    };
  }, [stick]);
  return { scroller, content, isAtEnd, stick };
}
