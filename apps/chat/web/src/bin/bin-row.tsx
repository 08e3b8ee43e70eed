import { useId, useLayoutEffect, useRef, useState } from "react";
import type { BinEntry } from "../../../shared/api.ts";
import { request, sentenceOf } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { countText } from "../ui/count-text.ts";

interface BinRowProps {
  readonly entry: BinEntry;
  /** Returns false if it fails. */
  readonly onRestore: (entry: BinEntry) => Promise<boolean>;
  readonly onDeleted: () => void;
}

export function BinRow({ entry, onRestore, onDeleted }: BinRowProps) {
  const [isDeleting, setDeleting] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const restore = async () => {
    if (isRestoring) return;
    setRestoring(true);
    if (!(await onRestore(entry))) setRestoring(false);
  };
  const factsId = useId();
  const row = useRef<HTMLLIElement>(null);
  // A row that disappears with the focus passes it on.
  useLayoutEffect(
    () => () => {
      const { current } = row;
      if (!current?.contains(document.activeElement)) return;
      current.querySelector("dialog")?.close();
      const next = current.nextElementSibling ?? current.previousElementSibling;
      (next?.querySelector("button") ?? document.getElementById("content"))?.focus();
    },
    [],
  );
  const { title, count, deletedAt, endsAt } = entry;
  const name = title || "New chat";
  return (
    <li ref={row} className="bin-row">
      <div>
        <h2>{name}</h2>
        <div id={factsId}>
          <p className="hint">
            {countText(count, "message")} · deleted {momentText(deletedAt)} · deleted forever on {dayText(endsAt)}
          </p>
        </div>
      </div>
      <div className="bin-actions">
        <Button
          aria-label={`Restore ${name}`}
          aria-describedby={factsId}
          aria-disabled={isRestoring}
          onClick={() => void restore()}
        >
          Restore
        </Button>
        <Button aria-label={`Delete forever: ${name}`} aria-describedby={factsId} onClick={() => setDeleting(true)}>
          Delete forever
        </Button>
      </div>
      {isDeleting && <DeleteDialog entry={entry} onClose={() => setDeleting(false)} onDeleted={onDeleted} />}
    </li>
  );
}

interface DeleteDialogProps {
  readonly entry: BinEntry;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ entry: { id, title }, onClose, onDeleted }: DeleteDialogProps) {
  const [error, setError] = useState<string | undefined>();
  const remove = async () => {
    try {
      await request<void>(`/api/bin/${encodeURIComponent(id)}`, { method: "DELETE" });
      onClose();
      onDeleted();
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  const name = <strong>{title || "New chat"}</strong>;
  return (
    <ConfirmDialog
      title="Delete this chat forever?"
      action="Delete forever"
      error={error}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{name} and all its messages will be deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function momentText(time: string): string {
  return new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

function dayText(time: string): string {
  return new Date(time).toLocaleDateString([], { dateStyle: "medium" });
}
