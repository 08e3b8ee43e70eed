import { useCallback, useEffect, useRef, useState } from "react";
import { RequestError, request, sentenceOf } from "./request.ts";

export interface Resource<T> {
  /** The latest data; it stays while newer data loads. */
  readonly data: T | undefined;
  readonly error: string | undefined;
  /** The code of the error. */
  readonly code: string | undefined;
  /** The server has nothing at this path, so a retry would not help. */
  readonly isMissing: boolean;
  reload(): Promise<void>;
  set(data: T): void;
  /** Changes the data, if there is any. */
  update(change: (before: T) => T): void;
}

/** Fetches the path with GET; without a path it fetches nothing. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const [state, setState] = useState<{ path?: string; data?: T; error?: string; code?: string; isMissing?: boolean }>(
    {},
  );
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
        code: error instanceof RequestError ? error.code : undefined,
        isMissing: error instanceof RequestError && error.status === 404,
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
  const update = useCallback(
    (change: (before: T) => T) =>
      setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) })),
    [],
  );
  const isCurrent = state.path === path;
  const { data, error, code, isMissing = false } = isCurrent ? state : {};
  return { data, error, code, isMissing, reload, set, update };
}
