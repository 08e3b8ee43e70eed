import { memo, useLayoutEffect, useRef, useState } from "react";
import type { ChatSummary } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { useUndoToast } from "../bin/use-undo-toast.ts";
import { Link } from "../router/link.tsx";
import { chatPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { Menu } from "../ui/menu.tsx";
import { RenameField } from "../ui/rename-field.tsx";
import { useToast } from "../ui/toast.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { downloadChat } from "./download-chat.ts";

interface ChatRowProps {
  readonly chat: ChatSummary;
  readonly isCurrent: boolean;
  readonly onFollow: () => void;
  readonly onChanged: () => void;
}

/** Drawn again only if it changed: the list can have thousands. */
export const ChatRow = memo(
  Row,
  (before, after) =>
    before.chat.id === after.chat.id &&
    before.chat.title === after.chat.title &&
    before.isCurrent === after.isCurrent &&
    before.onFollow === after.onFollow &&
    before.onChanged === after.onChanged,
);

function Row({ chat, isCurrent, onFollow, onChanged }: ChatRowProps) {
  const [mode, setMode] = useState<"shown" | "renaming" | "deleting">("shown");
  const showToast = useToast();
  const row = useRef<HTMLLIElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  useFocusBack(mode === "renaming", link);
  // A row that disappears with the focus passes it on.
  useLayoutEffect(
    () => () => {
      const { current } = row;
      if (!current?.contains(document.activeElement)) return;
      // Nothing outside of an open dialog can be focused.
      current.querySelector("dialog")?.close();
      nextLink(current)?.focus();
    },
    [],
  );
  const title = chat.title || "New chat";
  const { binDays } = useApp().state;
  const showUndo = useUndoToast();

  const moveToBin = async () => {
    try {
      await request<void>(`/api/chats/${chat.id}`, { method: "DELETE" });
      if (isCurrent) navigate("/", { replace: true });
      onChanged();
      // Whoever deletes the chat that is open expects to be back in it.
      const reopen = () => isCurrent && location.pathname === "/" && navigate(chatPath(chat.id), { replace: true });
      showUndo("Chat moved to the bin", chat.id, () => void reopen());
    } catch (error) {
      showToast(sentenceOf(error));
    }
  };

  const rename = async (next: string) => {
    setMode("shown");
    if (next === chat.title) return;
    try {
      await request<ChatSummary>(`/api/chats/${chat.id}`, { method: "PATCH", body: { title: next } });
      onChanged();
    } catch (error) {
      showToast(sentenceOf(error));
    }
  };

  if (mode === "renaming") {
    return (
      <li ref={row} className="chat-row">
        <RenameField title={chat.title} onRename={(next) => void rename(next)} onCancel={() => setMode("shown")} />
      </li>
    );
  }
  return (
    <li ref={row} className="chat-row">
      <Link
        ref={link}
        to={chatPath(chat.id)}
        title={title}
        aria-current={isCurrent ? "page" : undefined}
        onClick={onFollow}
      >
        {title}
      </Link>
      <Menu
        label={`Actions for ${title}`}
        items={[
          { label: "Rename", icon: "edit", onSelect: () => setMode("renaming") },
          { label: "Export as Markdown", icon: "file", onSelect: () => downloadChat(chat.id, "markdown") },
          { label: "Export as JSON", icon: "file", onSelect: () => downloadChat(chat.id, "json") },
          {
            label: "Delete",
            icon: "trash",
            isDanger: true,
            onSelect: () => (binDays > 0 ? void moveToBin() : setMode("deleting")),
          },
        ]}
      />
      {mode === "deleting" && (
        <DeleteDialog chat={chat} isCurrent={isCurrent} onClose={() => setMode("shown")} onDeleted={onChanged} />
      )}
    </li>
  );
}

/** The link of the row below, or else above; without any, the one for a new chat. */
function nextLink(row: Element): HTMLElement | null | undefined {
  const rows = [...(row.closest("nav")?.querySelectorAll(".chat-row") ?? [])];
  const at = rows.indexOf(row);
  const next = rows[at + 1] ?? rows[at - 1];
  return next?.querySelector("a") ?? document.querySelector<HTMLElement>("a.new-chat");
}
