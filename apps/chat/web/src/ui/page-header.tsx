import { type ReactNode, useEffect } from "react";
import { IconButton } from "./button.tsx";
import { useDrawer } from "./drawer.tsx";

/** The title of the page and the window, with the page's actions. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { isNarrow, isOpen, open } = useDrawer();
  useEffect(() => {
    document.title = `${title} · Skillset`;
  }, [title]);
  return (
    <header className="page-header">
      {isNarrow && <IconButton icon="menu" label="Open sidebar" aria-expanded={isOpen} onClick={open} />}
      <h1 title={title}>{title}</h1>
      {children && <div className="page-actions">{children}</div>}
    </header>
  );
}
