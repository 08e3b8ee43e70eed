import { useEffect, useRef } from "react";
import { isCovered } from "../ui/is-covered.ts";

interface Shortcuts {
  /** Ctrl+K or Cmd+K, from anywhere. */
  palette(): void;
  /** `?`, outside of text fields. */
  help(): void;
}

/** The keys that work on every page. `/` goes to the message field. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key.toLowerCase() === "k" && !event.shiftKey) {
        event.preventDefault();
        return latest.current.palette();
      }
      if (isCommand || isTyping(event.target) || isCovered()) return;
      if (event.key === "?") {
        event.preventDefault();
        latest.current.help();
      }
      if (event.key === "/") {
        const field = document.getElementById("message");
        if (field === null) return;
        event.preventDefault();
        field.focus();
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/** The key with Ctrl, or with Cmd on a Mac. */
export function commandKey(key: string): string {
  return /Mac|iP(?:hone|ad)/.test(navigator.platform) ? `⌘${key}` : `Ctrl ${key}`;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
