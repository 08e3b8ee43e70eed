import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface PopupOptions {
  /** The edges of button and panel that are in line. */
  readonly align?: "start" | "end";
}

/**
 * A button and a panel, an element with `popover="manual"`, that is shown above everything else. It closes when
 * something outside is pressed, and when its button moves.
 */
export function usePopup({ align = "start" }: PopupOptions = {}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current: shown } = panel;
    if (!isOpen || !shown || !trigger.current) return;
    showBeside(shown, trigger.current, align);
    return () => {
      if (shown.isConnected) shown.hidePopover();
    };
  }, [isOpen, align]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    // The panel does not move with its button.
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

  /** Closes the panel and returns the focus to its button. */
  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
  return { isOpen, setOpen, close, root, trigger, panel };
}

/** Shows the panel below the button or, without room there, above it, and always inside the window. */
function showBeside(panel: HTMLElement, button: HTMLElement, align: "start" | "end"): void {
  panel.showPopover();
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const isBelow = bottom + GAP + height <= innerHeight || top < innerHeight - bottom;
  const wanted = align === "start" ? left : right - width;
  panel.style.top = `${Math.max(0, isBelow ? bottom + GAP : top - GAP - height)}px`;
  panel.style.left = `${Math.max(0, Math.min(wanted, innerWidth - width - GAP))}px`;
}

const GAP = 4;
