import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

interface Drawer {
  /** On narrow screens the sidebar is a drawer; on wide ones it is always visible. */
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
}

const Context = createContext<Drawer | undefined>(undefined);

export function useDrawer(): Drawer {
  const drawer = useContext(Context);
  if (drawer === undefined) throw new Error("useDrawer needs a DrawerProvider above it.");
  return drawer;
}

export function DrawerProvider({ children }: { readonly children: ReactNode }) {
  const isNarrow = useMediaQuery("(width < 56rem)");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      // Escape closes a dialog on top of the drawer first.
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) setOpen(false);
    };
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, [isOpen]);
  const drawer = useMemo(
    () => ({ isNarrow, isOpen: isNarrow && isOpen, open: () => setOpen(true), close: () => setOpen(false) }),
    [isNarrow, isOpen],
  );
  return <Context value={drawer}>{children}</Context>;
}

function useMediaQuery(query: string): boolean {
  const [isMatching, setMatching] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatching(list.matches);
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  return isMatching;
}
