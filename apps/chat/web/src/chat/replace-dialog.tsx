import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface ReplaceDialogProps {
  /** The number of messages after the answer. */
  readonly count: number;
  readonly hasBin: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a new answer to an earlier message removes the messages after it. */
export function ReplaceDialog({ count, hasBin, onConfirm, onClose }: ReplaceDialogProps) {
  const them = count === 1 ? "message" : `${count} messages`;
  return (
    <ConfirmDialog title="Regenerate this answer?" action="Regenerate" onConfirm={onConfirm} onClose={onClose}>
      <p>
        {hasBin
          ? `This moves the answer and the ${them} after it to the bin.`
          : `This removes the answer and the ${them} after it. This cannot be undone.`}
      </p>
    </ConfirmDialog>
  );
}
