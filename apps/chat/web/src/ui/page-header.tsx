import { type ReactNode, useEffect } from "react";
import { IconButton } from "./button.tsx";
import { useDrawer } from "./drawer.tsx";

/** The page's title, which is the window's too, and what can be done beside it. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { isNarrow, isOpen, open } = useDrawer();
  useEffect(() => {
    document.title = `${title} · Skillset`;
  }, [title]);
  return (
    <header className="page-header">
      {isNarrow && <IconButton icon="menu" label="Open the list of chats" aria-expanded={isOpen} onClick={open} />}
      <h1 title={title}>{title}</h1>
      {children && <div className="page-actions">{children}</div>}
    </header>
  );
}
