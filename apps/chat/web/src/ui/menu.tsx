import { type KeyboardEvent, useEffect, useId } from "react";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { usePopup } from "./use-popup.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  onSelect(): void;
}

/** A button that opens a menu: arrow keys move, Escape closes it and restores the focus. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const { isOpen, setOpen, close, root, trigger, panel } = usePopup({ align: "end" });
  const id = useId();
  useEffect(() => {
    if (isOpen) panel.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [isOpen, panel]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
    if (event.key === "Tab") setOpen(false);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const entries = [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const index = entries.indexOf(document.activeElement as HTMLElement);
    entries.at((index + step) % entries.length)?.focus();
  };

  return (
    <div className="menu" ref={root}>
      <IconButton
        ref={trigger}
        icon="dots"
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div ref={panel} popover="manual" role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.isDanger ? "danger" : ""}
              onClick={() => {
                close();
                item.onSelect();
              }}
            >
              <Icon name={item.icon} />
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
