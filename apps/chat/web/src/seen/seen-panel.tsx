import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import type { ChatMessage } from "../../../shared/api.ts";
import { IconButton } from "../ui/button.tsx";
import { isCovered } from "../ui/is-covered.ts";
import { AnswerSteps } from "./answer-steps.tsx";
import { closeAnswer } from "./use-open-answer.ts";
import "../styles/seen.css";
import "../styles/seen-context.css";
import "../styles/seen-timeline.css";
import "../styles/seen-request.css";

interface SeenPanelProps {
  readonly chatId: string;
  readonly answer: ChatMessage;
  readonly isRunning: boolean;
}

/** A panel beside the conversation; on narrow screens, a dialog over it. */
export function SeenPanel({ chatId, answer, isRunning }: SeenPanelProps) {
  const isWide = useSyncExternalStore(
    (onChange) => {
      WIDE.addEventListener("change", onChange);
      return () => WIDE.removeEventListener("change", onChange);
    },
    () => WIDE.matches,
  );
  useFocusOpener(answer.id);
  const content = (
    <>
      <header className="seen-header">
        <h2 id="seen-title">What the model saw</h2>
        <IconButton icon="close" label="Close what the model saw" onClick={closeAnswer} />
      </header>
      <AnswerSteps chatId={chatId} answer={answer} isRunning={isRunning} />
    </>
  );
  return isWide ? <SidePanel>{content}</SidePanel> : <Sheet>{content}</Sheet>;
}

const WIDE = matchMedia("(width >= 75rem)");

/** When the panel closes, the focus returns to the button that opens it. */
function useFocusOpener(id: string): void {
  useEffect(
    () => () => {
      const opener = document.querySelector<HTMLElement>(`[data-answer="${CSS.escape(id)}"]`);
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) opener?.focus();
    },
    [id],
  );
}

function SidePanel({ children }: { readonly children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    const closeOnEscape = (event: KeyboardEvent) => {
      const { activeElement } = document;
      const isOurs = activeElement === document.body || panel.current?.contains(activeElement) === true;
      if (event.key !== "Escape" || !isOurs || isCovered()) return;
      // The same key stops a running answer.
      event.preventDefault();
      closeAnswer();
    };
    addEventListener("keydown", closeOnEscape, { capture: true });
    return () => removeEventListener("keydown", closeOnEscape, { capture: true });
  }, []);
  return (
    <aside ref={panel} className="seen" tabIndex={-1} aria-labelledby="seen-title">
      {children}
    </aside>
  );
}

function Sheet({ children }: { readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="seen"
      aria-labelledby="seen-title"
      onCancel={(event) => {
        event.preventDefault();
        closeAnswer();
      }}
    >
      {children}
    </dialog>
  );
}
