import { useCallback, useEffect, useRef, useState } from "react";
import { request, sentenceOf } from "./request.ts";

export interface Resource<T> {
  /** The latest data; it stays while newer data loads. */
  readonly data: T | undefined;
  readonly error: string | undefined;
  reload(): Promise<void>;
  set(data: T): void;
}

/** Fetches the path with GET; without a path it fetches nothing. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const [state, setState] = useState<{ path?: string; data?: T; error?: string }>({});
  const current = useRef(path);
  current.current = path;

  const load = useCallback(async (wanted: string, signal?: AbortSignal) => {
    try {
      const data = await request<T>(wanted, { signal });
      if (current.current === wanted) setState({ path: wanted, data });
    } catch (error) {
      if (signal?.aborted || current.current !== wanted) return;
      setState((before) => ({
        ...(before.path === wanted ? before : {}),
        path: wanted,
        error: sentenceOf(error),
      }));
    }
  }, []);

  useEffect(() => {
    if (path === undefined) return;
    const controller = new AbortController();
    void load(path, controller.signal);
    return () => controller.abort();
  }, [path, load]);

  const reload = useCallback(async () => {
    if (current.current !== undefined) await load(current.current);
  }, [load]);
  const set = useCallback((data: T) => setState({ path: current.current, data }), []);
  const isCurrent = state.path === path;
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : undefined, reload, set };
}
