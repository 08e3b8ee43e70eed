import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { ChatSummary } from "../../../shared/api.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { useResource } from "../api/use-resource.ts";
import { Failure } from "../ui/failure.tsx";
import { Icon } from "../ui/icon.tsx";
import { ChatRow } from "./chat-row.tsx";
import { groupByAge } from "./group-by-age.ts";

interface ChatListProps {
  readonly currentId: string | undefined;
  readonly onFollow: () => void;
}

/** All chats, newest first. The search covers messages too. */
export function ChatList({ currentId, onFollow }: ChatListProps) {
  const [text, setText] = useState("");
  const query = useDeferredValue(text.trim());
  const chats = useResource<readonly ChatSummary[]>(
    query === "" ? "/api/chats" : `/api/chats?query=${encodeURIComponent(query)}`,
  );
  // The last list stays while the next one loads.
  const shown = useRef<readonly ChatSummary[] | undefined>(undefined);
  shown.current = chats.data ?? shown.current;
  const list = useRef<HTMLElement>(null);
  const isLoaded = shown.current !== undefined;
  useEffect(() => {
    if (currentId === undefined || !isLoaded) return;
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [currentId, isLoaded]);
  useAppEvents(({ type }) => {
    if (type === "chats-changed" || type === "reconnected") void chats.reload();
  });

  return (
    <>
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">Search chats</span>
        <input
          type="search"
          placeholder="Search chats"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <nav ref={list} className="chat-list" aria-label="Chats" aria-busy={chats.data === undefined}>
        {chats.error && <Failure message={chats.error} onRetry={() => void chats.reload()} />}
        {shown.current?.length === 0 && <p className="hint">{query === "" ? "No chats yet" : "No matching chats"}</p>}
        {groupByAge(shown.current ?? []).map(({ label, chats: group }) => (
          <section key={label} aria-label={label}>
            <h2>{label}</h2>
            <ul>
              {group.map((chat) => (
                <ChatRow
                  key={chat.id}
                  chat={chat}
                  isCurrent={chat.id === currentId}
                  onFollow={onFollow}
                  onChanged={() => void chats.reload()}
                />
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  );
}
