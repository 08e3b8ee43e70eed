import { useCallback, useEffect, useRef, useState } from "react";
import { request, sentenceOf } from "./request.ts";

interface Page {
  /** The cursor of the next page. */
  readonly next?: string;
}

interface Loaded<Kind extends Page> {
  /** Undefined until the first page is loaded. Pages stay while newer ones load. */
  readonly pages: readonly Kind[] | undefined;
  /** Why the list could not be read. */
  readonly error: string | undefined;
  /** Why the page after the loaded ones could not be read. */
  readonly moreError: string | undefined;
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
  const { pages, error, moreError } = state.path === path ? state : NOTHING;
  return { pages, error, moreError, hasMore: pages?.at(-1)?.next !== undefined, loadMore, reload, refresh };
}

const NOTHING = { pages: undefined, error: undefined, moreError: undefined };

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
    let isAll = false;
    try {
      while (this.#isStale || this.#isShort(this.#pages)) {
        isAll = this.#isStale;
        this.#pages = isAll ? await this.#readAll() : await this.#readNext(this.#pages);
        this.#onChange({ ...NOTHING, pages: this.#pages });
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const pages = this.#pages.length > 0 ? this.#pages : undefined;
      this.#onChange({ ...NOTHING, pages, [isAll ? "error" : "moreError"]: sentenceOf(error) });
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
