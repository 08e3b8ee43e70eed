import { type RefObject, useEffect, useRef, useState } from "react";

interface CurrentInViewOptions {
  readonly currentId: string | undefined;
  /** The loaded pages. */
  readonly pages: readonly unknown[] | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** Scrolls the list to the current chat, once for each. For the chat that was opened first, more pages are loaded. */
export function useCurrentInView(list: RefObject<HTMLElement | null>, options: CurrentInViewOptions): void {
  const { currentId, pages, hasMore, loadMore } = options;
  const [firstId] = useState(currentId);
  const sought = useRef({ id: currentId, pages: 0, isDone: false });
  useEffect(() => {
    const count = pages?.length ?? 0;
    if (sought.current.id !== currentId) sought.current = { id: currentId, pages: count, isDone: false };
    const { current } = sought;
    if (currentId === undefined || count === 0 || current.isDone) return;
    const isFirst = currentId === firstId;
    // When somebody scrolls down, the list must not jump to a chat on a later page.
    const row = isFirst || count <= current.pages ? list.current?.querySelector("[aria-current]") : undefined;
    row?.scrollIntoView({ block: "nearest" });
    current.isDone = Boolean(row) || (isFirst ? !hasMore || count >= MOST_PAGES : count > current.pages);
    if (isFirst && !current.isDone) loadMore();
  }, [list, currentId, firstId, pages, hasMore, loadMore]);
}

/** A chat that is further down is not looked for: reading the whole list would take too long. */
const MOST_PAGES = 5;
