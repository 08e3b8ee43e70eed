import { useSyncExternalStore } from "react";

/** The answer whose steps are open: `?answer=ID` in the URL, so that a reload and a link keep it. */
export function useOpenAnswer(): string | undefined {
  return useSyncExternalStore(subscribe, () => new URLSearchParams(location.search).get("answer") ?? undefined);
}

export function openAnswer(id: string): void {
  const url = `${location.pathname}?answer=${encodeURIComponent(id)}`;
  const state = { opensAnswer: true };
  // The browser's Back closes what was opened here, as it does for a page.
  if (isOpenedHere()) history.replaceState(state, "", url);
  else history.pushState(state, "", url);
  announce();
}

export function closeAnswer(): void {
  if (isOpenedHere()) {
    history.back();
    return;
  }
  history.replaceState(null, "", location.pathname);
  announce();
}

function isOpenedHere(): boolean {
  return (history.state as { readonly opensAnswer?: boolean } | null)?.opensAnswer === true;
}

const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}
