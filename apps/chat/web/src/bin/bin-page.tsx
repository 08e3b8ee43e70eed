import { useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { BinEntry, BinPage as Page } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { usePages } from "../api/use-pages.ts";
import { chatPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { countText } from "../ui/count-text.ts";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useToast } from "../ui/toast.tsx";
import { BinRow } from "./bin-row.tsx";
import { restoreEntry } from "./use-undo-toast.ts";

/** Deleted chats, the last first. */
export function BinPage() {
  const { binDays } = useApp().state;
  const bin = usePages<Page>("/api/bin");
  const { reload, refresh } = bin;
  const [isEmptying, setEmptying] = useState(false);
  const showToast = useToast();
  useAppEvents(({ type }) => {
    if (type === "chats-changed" || type === "reconnected") refresh();
  });
  const restore = useCallback(
    async ({ id }: BinEntry) => {
      try {
        await restoreEntry(id);
        showToast("Chat restored", { label: "Open", run: () => navigate(chatPath(id)) });
        return true;
      } catch (error) {
        showToast(sentenceOf(error));
        return false;
      } finally {
        reload();
      }
    },
    [showToast, reload],
  );
  const list = useRef<HTMLUListElement>(null);
  const showMore = () => {
    // The last page removes the button. The focus continues at the last row before the new ones.
    list.current?.lastElementChild?.querySelector("button")?.focus();
    bin.loadMore();
  };
  const entries = bin.pages?.flatMap((page) => page.entries);
  const total = bin.pages?.at(-1)?.total ?? 0;

  return (
    <>
      <PageHeader title="Bin">
        {total > 0 && (
          <Button icon="trash" onClick={() => setEmptying(true)}>
            Empty the bin
          </Button>
        )}
      </PageHeader>
      <div className="page scroll">
        <p className="lead">Deleted chats stay here for {countText(binDays, "day")}. Then they are deleted forever.</p>
        {bin.error && <Failure message={bin.error} onRetry={reload} />}
        {entries?.length === 0 && <p className="hint">The bin is empty</p>}
        <ul ref={list} className="bin-list" aria-label="Chats in the bin" aria-busy={entries === undefined}>
          {entries?.map((entry) => (
            <BinRow key={entry.id} entry={entry} onRestore={restore} onDeleted={reload} />
          ))}
        </ul>
        {bin.moreError && <Failure message={bin.moreError} onRetry={bin.loadMore} />}
        {bin.hasMore && <Button onClick={showMore}>Show more</Button>}
      </div>
      {isEmptying && <EmptyDialog total={total} onClose={() => setEmptying(false)} onEmptied={reload} />}
    </>
  );
}

interface EmptyDialogProps {
  readonly total: number;
  readonly onClose: () => void;
  readonly onEmptied: () => void;
}

function EmptyDialog({ total, onClose, onEmptied }: EmptyDialogProps) {
  const [error, setError] = useState<string | undefined>();
  const empty = async () => {
    try {
      await request<void>("/api/bin", { method: "DELETE" });
      // Nothing behind an open dialog can be focused.
      flushSync(onClose);
      onEmptied();
      document.getElementById("content")?.focus();
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  return (
    <ConfirmDialog
      title="Empty the bin?"
      action="Delete forever"
      error={error}
      onConfirm={() => void empty()}
      onClose={onClose}
    >
      <p>
        {total === 1 ? "The chat" : `All ${countText(total, "chat")}`} in the bin will be deleted forever. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  );
}
