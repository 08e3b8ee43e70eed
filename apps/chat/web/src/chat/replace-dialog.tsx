import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface ReplaceDialogProps {
  /** The number of messages after the answer. */
  readonly count: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a new answer to an earlier message removes the messages after it. */
export function ReplaceDialog({ count, onConfirm, onClose }: ReplaceDialogProps) {
  return (
    <ConfirmDialog title="Regenerate this answer?" action="Regenerate" onConfirm={onConfirm} onClose={onClose}>
      <p>This removes the {count === 1 ? "message" : `${count} messages`} after it. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
