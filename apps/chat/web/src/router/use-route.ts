import { useMemo, useSyncExternalStore } from "react";
import { parseRoute, type Route } from "./route.ts";

export function useRoute(): Route {
  const pathname = useSyncExternalStore(subscribe, () => location.pathname);
  return useMemo(() => parseRoute(pathname), [pathname]);
}

export function navigate(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (path === location.pathname) return;
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}
