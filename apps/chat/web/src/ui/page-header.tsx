import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { useDrawer } from "./drawer.tsx";
import { RenameField } from "./rename-field.tsx";
import { useFocusBack } from "./use-focus-back.ts";

interface PageHeaderProps {
  readonly title: string;
  /** Set if the title can be changed here. */
  readonly onRename?: (title: string) => void;
  readonly children?: ReactNode;
}

/** The title of the page and the window, with the page's actions. */
export function PageHeader({ title, onRename, children }: PageHeaderProps) {
  const { isNarrow, isOpen, open } = useDrawer();
  const [isRenaming, setRenaming] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);
  useFocusBack(isRenaming, rename);
  useEffect(() => {
    document.title = `${title} · Skillset`;
  }, [title]);
  const finish = (next: string) => {
    setRenaming(false);
    if (next !== title) onRename?.(next);
  };
  return (
    <header className="page-header">
      {isNarrow && <IconButton icon="menu" label="Open sidebar" aria-expanded={isOpen} onClick={open} />}
      {isRenaming ? (
        <RenameField title={title} onRename={finish} onCancel={() => setRenaming(false)} />
      ) : (
        <h1 title={title}>{title}</h1>
      )}
      {onRename && !isRenaming && (
        <IconButton
          ref={rename}
          className="rename-title"
          icon="edit"
          label="Rename chat"
          onClick={() => setRenaming(true)}
        />
      )}
      {children && <div className="page-actions">{children}</div>}
    </header>
  );
}
