import { useEffect, useRef } from "react";
import type { AppEvent } from "../../../shared/api.ts";
import { onVisibility } from "./page-visibility.ts";

/** Sent after a lost connection is back: events may have been missed. */
type PageEvent = AppEvent | { readonly type: "reconnected" };

/** Calls back for each server event while the component is mounted. All components share one connection. */
export function useAppEvents(listener: (event: PageEvent) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const listen = (event: PageEvent) => latest.current(event);
    listeners.add(listen);
    connect();
    watchVisibility();
    return () => void listeners.delete(listen);
  }, []);
}

const listeners = new Set<(event: PageEvent) => void>();
let source: EventSource | undefined;
let wasLost = false;
let isPaused = false;

function connect(): void {
  if (source !== undefined || isPaused) return;
  source = new EventSource("/api/events");
  source.onmessage = ({ data }) => emit(parse(data));
  source.onopen = () => {
    if (wasLost) emit({ type: "reconnected" });
    wasLost = false;
  };
  source.onerror = () => {
    wasLost = true;
    // The browser reconnects by itself unless the response was not an event stream.
    if (source?.readyState !== EventSource.CLOSED) return;
    source = undefined;
    setTimeout(connect, 3000);
  };
}

let isWatched = false;

function watchVisibility(): void {
  if (isWatched) return;
  isWatched = true;
  onVisibility((isVisible) => {
    isPaused = !isVisible;
    if (isVisible) return connect();
    source?.close();
    source = undefined;
    wasLost = true;
  });
}

function emit(event: PageEvent | undefined): void {
  if (event) for (const listen of listeners) listen(event);
}

function parse(data: unknown): AppEvent | undefined {
  try {
    return JSON.parse(String(data)) as AppEvent;
  } catch {
    return undefined;
  }
}
