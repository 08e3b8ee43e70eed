import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, IconButton } from "./button.tsx";

export interface ToastAction {
  readonly label: string;
  /** Also run with Ctrl+Z or Cmd+Z while the message is shown. */
  readonly isUndo?: boolean;
  run(): void;
}

type ShowToast = (text: string, action?: ToastAction) => void;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: ToastAction | undefined;
}

const Context = createContext<ShowToast>(() => {});

/** Shows a message for some seconds, optionally with a button. Screen readers announce it politely. */
export function useToast(): ShowToast {
  return useContext(Context);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback<ShowToast>((text, action) => {
    const toast = { id: ++lastId, text, action };
    // A new message replaces the last one, but never one whose button may still be needed.
    setToasts((before) => [...before.filter((one) => one.action !== undefined), toast].slice(-MOST));
  }, []);
  const close = useCallback((id: number) => setToasts((before) => before.filter((one) => one.id !== id)), []);
  const undoable = toasts.findLast(({ action }) => action?.isUndo);
  useUndoKey(undoable, close);
  return (
    <Context value={show}>
      {children}
      <div className="toasts" role="status" aria-atomic="false">
        {toasts.map((toast) => (
          <ToastView key={toast.id} toast={toast} onClose={close} />
        ))}
      </div>
    </Context>
  );
}

let lastId = 0;
const MOST = 3;

function finish({ id, action }: Toast, close: (id: number) => void): void {
  close(id);
  action?.run();
}

/** In a text field with text, or changed since the message is shown, the keys undo typing. */
function useUndoKey(toast: Toast | undefined, close: (id: number) => void): void {
  useEffect(() => {
    if (toast === undefined) return;
    const changed = new WeakSet<EventTarget>();
    const onInput = ({ target }: Event) => {
      if (target !== null) changed.add(target);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
      if (!isUndo || event.repeat || document.querySelector("dialog[open]")) return;
      const target = event.target as HTMLInputElement;
      if (target.value || changed.has(target)) return;
      event.preventDefault();
      finish(toast, close);
    };
    addEventListener("input", onInput);
    addEventListener("keydown", onKeyDown);
    return () => {
      removeEventListener("input", onInput);
      removeEventListener("keydown", onKeyDown);
    };
  }, [toast, close]);
}

interface ToastViewProps {
  readonly toast: Toast;
  readonly onClose: (id: number) => void;
}

/** Stays while the pointer or the focus is in it, and returns the focus to where it was. */
function ToastView({ toast, onClose }: ToastViewProps) {
  const { id, text, action } = toast;
  const root = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => onClose(id), action ? 12_000 : 7_000);
    return () => clearTimeout(timer);
  }, [id, action, isHeld, onClose]);
  useLayoutEffect(
    () => () => {
      const { current: target } = cameFrom;
      if (!root.current?.contains(document.activeElement)) return;
      if (target instanceof HTMLElement && target.isConnected) target.focus();
      else document.getElementById("content")?.focus();
    },
    [],
  );
  const isInside = (target: EventTarget | null) => target instanceof Node && root.current?.contains(target) === true;
  const hold = (event: FocusEvent) => {
    if (!isInside(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    setHeld(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, the message only stays while it is in use
    <div
      ref={root}
      className="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(isInside(document.activeElement))}
      onFocus={hold}
      onBlur={(event) => setHeld(isInside(event.relatedTarget))}
    >
      <p>{text}</p>
      {action && (
        <Button
          look="quiet"
          aria-keyshortcuts={action.isUndo ? "Control+Z Meta+Z" : undefined}
          onClick={() => finish(toast, onClose)}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => onClose(id)} />
    </div>
  );
}
