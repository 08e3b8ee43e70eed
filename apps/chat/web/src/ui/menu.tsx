import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  onSelect(): void;
}

/** A button that opens a menu: arrow keys move, Escape closes it and restores the focus. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    if (isOpen && list.current && trigger.current) showBeside(list.current, trigger.current);
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    // The menu does not move with its button.
    const place = trigger.current?.getBoundingClientRect().top;
    const closeMoved = () => {
      if (trigger.current?.getBoundingClientRect().top !== place) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("scroll", closeMoved, { capture: true, passive: true });
    addEventListener("resize", closeMoved);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("scroll", closeMoved, { capture: true });
      removeEventListener("resize", closeMoved);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
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
        <div ref={list} popover="manual" role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
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

/** Shows the menu above everything else, below the button or, without room there, above it. */
function showBeside(menu: HTMLElement, button: HTMLElement): void {
  menu.showPopover();
  const { top, bottom, right } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isBelow = bottom + GAP + height <= innerHeight || top < innerHeight - bottom;
  menu.style.top = `${Math.max(0, isBelow ? bottom + GAP : top - GAP - height)}px`;
  menu.style.left = `${Math.max(0, right - width)}px`;
}

const GAP = 4;
