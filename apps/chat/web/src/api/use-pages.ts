import { useCallback, useEffect, useRef, useState } from "react";
import { request, sentenceOf } from "./request.ts";

interface Page {
  /** The cursor of the next page. */
  readonly next?: string;
}

interface Loaded<Kind extends Page> {
  /** Undefined until the first page is loaded. Pages stay while newer ones load. */
  readonly pages: readonly Kind[] | undefined;
  readonly error: string | undefined;
}

export interface Pages<Kind extends Page> extends Loaded<Kind> {
  readonly hasMore: boolean;
  loadMore(): void;
  /** Reads the loaded pages again. */
  reload(): void;
  /** Reads them again after an event, less often if there are many. */
  refresh(): void;
}

/** Reads a list page by page. */
export function usePages<Kind extends Page>(path: string): Pages<Kind> {
  const [state, setState] = useState<Loaded<Kind> & { readonly path: string }>({ ...NOTHING, path });
  const reader = useRef<PageReader<Kind>>(undefined);
  useEffect(() => {
    const own = new PageReader<Kind>(path, (loaded) => setState({ ...loaded, path }));
    reader.current = own;
    void own.read();
    return () => own.close();
  }, [path]);
  const loadMore = useCallback(() => reader.current?.loadMore(), []);
  const reload = useCallback(() => reader.current?.reload(), []);
  const refresh = useCallback(() => reader.current?.refresh(), []);
  const { pages, error } = state.path === path ? state : NOTHING;
  return { pages, error, hasMore: pages?.at(-1)?.next !== undefined, loadMore, reload, refresh };
}

const NOTHING = { pages: undefined, error: undefined };

const PAUSE_PER_PAGE = 100;

/** One request at a time. What is asked for meanwhile is read in the next round. */
class PageReader<Kind extends Page> {
  readonly #path: string;
  readonly #onChange: (loaded: Loaded<Kind>) => void;
  readonly #closing = new AbortController();
  #pages: readonly Kind[] = [];
  #wanted = 1;
  #isStale = true;
  #isBusy = false;
  #lastRead = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string, onChange: (loaded: Loaded<Kind>) => void) {
    this.#path = path;
    this.#onChange = onChange;
  }

  reload(): void {
    this.#isStale = true;
    void this.read();
  }

  refresh(): void {
    const wait = this.#lastRead + (this.#pages.length - 1) * PAUSE_PER_PAGE - performance.now();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.reload();
    }, wait);
  }

  loadMore(): void {
    this.#wanted = this.#pages.length + 1;
    void this.read();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  async read(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#isStale || this.#isShort(this.#pages)) {
        this.#pages = this.#isStale ? await this.#readAll() : await this.#readNext(this.#pages);
        this.#onChange({ pages: this.#pages, error: undefined });
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      // A retry reads everything again.
      this.#wanted = Math.max(1, this.#pages.length);
      this.#onChange({ pages: this.#pages.length > 0 ? this.#pages : undefined, error: sentenceOf(error) });
    } finally {
      this.#isBusy = false;
    }
  }

  /** Shown when all pages are there, so that the list never becomes shorter in between. */
  async #readAll(): Promise<readonly Kind[]> {
    this.#isStale = false;
    let pages: readonly Kind[] = [];
    do pages = await this.#readNext(pages);
    while (this.#isShort(pages));
    this.#lastRead = performance.now();
    return pages;
  }

  async #readNext(pages: readonly Kind[]): Promise<readonly Kind[]> {
    const { next } = pages.at(-1) ?? {};
    const query = next === undefined ? "" : `${this.#path.includes("?") ? "&" : "?"}before=${encodeURIComponent(next)}`;
    return [...pages, await request<Kind>(`${this.#path}${query}`, { signal: this.#closing.signal })];
  }

  #isShort(pages: readonly Kind[]): boolean {
    return pages.length < this.#wanted && (pages.length === 0 || pages.at(-1)?.next !== undefined);
  }
}
