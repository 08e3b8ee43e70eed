import { useLayoutEffect, useRef, useState } from "react";
import type { ChatSummary } from "../../../shared/api.ts";
import { request, sentenceOf } from "../api/request.ts";
import { Link } from "../router/link.tsx";
import { chatPath } from "../router/route.ts";
import { Menu } from "../ui/menu.tsx";
import { useToast } from "../ui/toast.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { downloadChat } from "./download-chat.ts";
import { RenameField } from "./rename-field.tsx";

interface ChatRowProps {
  readonly chat: ChatSummary;
  readonly isCurrent: boolean;
  readonly onFollow: () => void;
  readonly onChanged: () => void;
}

export function ChatRow({ chat, isCurrent, onFollow, onChanged }: ChatRowProps) {
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
      const next = current.nextElementSibling ?? current.previousElementSibling;
      next?.querySelector("a")?.focus();
    },
    [],
  );
  const title = chat.title || "New chat";

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
          { label: "Delete", icon: "trash", isDanger: true, onSelect: () => setMode("deleting") },
        ]}
      />
      {mode === "deleting" && (
        <DeleteDialog chat={chat} isCurrent={isCurrent} onClose={() => setMode("shown")} onDeleted={onChanged} />
      )}
    </li>
  );
}
