import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** State that is kept until the user comes back to the page in this tab. */
export function useKept<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => read(key) ?? initial);
  const set = useCallback(
    (next: Value) => {
      setValue(next);
      sessionStorage.setItem(key, JSON.stringify(next));
    },
    [key],
  );
  return [value, set];
}

/** Scrolls the element to where it was when the user left, once its content has loaded. */
export function useKeptScroll(key: string, isReady: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const [place] = useState(() => read<number>(key) ?? 0);
  useLayoutEffect(() => {
    if (isReady) scroller.current?.scrollTo({ top: place });
  }, [place, isReady]);
  useEffect(() => {
    const element = scroller.current;
    if (!isReady || element === null) return;
    const keep = () => sessionStorage.setItem(key, String(element.scrollTop));
    element.addEventListener("scroll", keep, { passive: true });
    return () => element.removeEventListener("scroll", keep);
  }, [key, isReady]);
  return { scroller, hasPlace: place > 0 };
}

function read<Value>(key: string): Value | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Value);
}
