import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button does, in a word. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Asks before something is lost. The focus starts on Cancel, so that Enter loses nothing. */
export function ConfirmDialog({ title, action, onConfirm, onClose, error, children }: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  // Runs after the dialog opens, because opening it focuses its first button.
  useEffect(() => cancel.current?.focus(), []);
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="dialog-actions">
        <Button ref={cancel} onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
