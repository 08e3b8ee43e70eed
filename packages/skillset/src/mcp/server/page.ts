import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** One page of a listing, and the cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * Returns the items after a cursor, sorted by key. Cursors stay valid when items are added or removed between two
 * pages.
 */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: string | undefined,
  size: number,
  keyOf: (item: Item) => string,
): Page<Item> {
  const sorted = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rest = itemsAfter(sorted, cursor, keyOf);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return rest.length > size && last !== undefined
    ? { items: page, nextCursor: toCursor(keyOf(last)) }
    : { items: page };
}

export function toCursor(key: string): string {
  return `after:${encodeURIComponent(key)}`;
}

/** Returns the items after the cursor in a sorted list. */
export function itemsAfter<Item>(
  sorted: readonly Item[],
  cursor: string | undefined,
  keyOf: (item: Item) => string,
): readonly Item[] {
  if (cursor === undefined) return sorted;
  const key = readCursor(cursor);
  const start = sorted.findIndex((item) => keyOf(item) > key);
  return start === -1 ? [] : sorted.slice(start);
}

function readCursor(cursor: string): string {
  try {
    if (cursor.startsWith("after:")) return decodeURIComponent(cursor.slice("after:".length));
  } catch {
    // Reported below.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is invalid: this server did not issue it.");
}
