import { useState } from "react";
import type { ChatSummary } from "../../../shared/api.ts";
import { request, sentenceOf } from "../api/request.ts";
import { navigate } from "../router/use-route.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface DeleteDialogProps {
  readonly chat: ChatSummary;
  readonly isCurrent: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteDialog({ chat, isCurrent, onClose, onDeleted }: DeleteDialogProps) {
  const [error, setError] = useState<string | undefined>();
  const remove = async () => {
    try {
      await request<void>(`/api/chats/${chat.id}`, { method: "DELETE" });
      if (isCurrent) navigate("/", { replace: true });
      onClose();
      onDeleted();
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  return (
    <ConfirmDialog
      title="Delete this chat?"
      action="Delete"
      error={error}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>
        <strong>{chat.title || "New chat"}</strong> and all its messages will be deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
