import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Whether an item of a long list has come near the visible part of its scroller, an element with `data-scroller`. Far
 * items show their text alone, which costs little, can be found in the page and keeps its place; near ones are drawn in
 * full, and stay so. Items have the attribute `data-item`.
 */
export function useNear<Item extends Element>(startsNear: boolean): [RefObject<Item | null>, boolean] {
  const item = useRef<Item>(null);
  const [isNear, setNear] = useState(startsNear);
  useEffect(() => {
    if (!isNear && item.current) return watch(item.current, () => setNear(true));
  }, [isNear]);
  return [item, isNear];
}

function watch(item: Element, onNear: () => void): () => void {
  const scroller = item.closest("[data-scroller]");
  if (scroller === null) {
    onNear();
    return () => {};
  }
  const observer = observers.get(scroller) ?? observe(scroller);
  observers.set(scroller, observer);
  waiting.set(item, onNear);
  observer.observe(item);
  return () => {
    waiting.delete(item);
    observer.unobserve(item);
  };
}

const observers = new WeakMap<Element, IntersectionObserver>();
const waiting = new WeakMap<Element, () => void>();

function observe(scroller: Element): IntersectionObserver {
  const draw = (entries: readonly IntersectionObserverEntry[]) => {
    const near = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    if (near.length === 0) return;
    // Items above may become higher or lower. The one in the middle, which a search or a link leads to, stays in place.
    const read = middleItem(scroller);
    const before = read?.getBoundingClientRect().top ?? 0;
    flushSync(() => {
      for (const item of near) waiting.get(item)?.();
    });
    scroller.scrollTop += (read?.getBoundingClientRect().top ?? before) - before;
  };
  // A screen and a half ahead, so that scrolling rarely shows an item that is not drawn.
  return new IntersectionObserver(draw, { root: scroller, rootMargin: "150% 0px" });
}

function middleItem(scroller: Element): Element | null {
  const { left, width, top, height } = scroller.getBoundingClientRect();
  // From the middle outwards, because the point may be between two items.
  for (let distance = 0; distance < height / 2; distance += 20) {
    for (const y of [top + height / 2 - distance, top + height / 2 + distance]) {
      const item = document.elementFromPoint(left + width / 2, y)?.closest("[data-item]");
      if (item) return item;
    }
  }
  return null;
}
