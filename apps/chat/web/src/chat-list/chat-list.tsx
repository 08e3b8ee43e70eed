import { useDeferredValue, useMemo, useRef, useState } from "react";
import type { ChatPage } from "../../../shared/api.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { usePages } from "../api/use-pages.ts";
import { Failure } from "../ui/failure.tsx";
import { Icon } from "../ui/icon.tsx";
import { ChatRow } from "./chat-row.tsx";
import { groupByAge } from "./group-by-age.ts";
import { ShowMore } from "./show-more.tsx";
import { useCurrentInView } from "./use-current-in-view.ts";

interface ChatListProps {
  readonly currentId: string | undefined;
  readonly onFollow: () => void;
}

/** All chats, newest first, page by page. The search covers messages too. */
export function ChatList({ currentId, onFollow }: ChatListProps) {
  const [text, setText] = useState("");
  const query = useDeferredValue(text.trim());
  const chats = usePages<ChatPage>(query === "" ? "/api/chats" : `/api/chats?query=${encodeURIComponent(query)}`);
  const { reload, refresh, loadMore } = chats;
  // The last list stays while the next one loads.
  const last = useRef<readonly ChatPage[] | undefined>(undefined);
  last.current = chats.pages ?? last.current;
  const pages = last.current;
  const groups = useMemo(() => groupByAge(pages?.flatMap((page) => page.chats) ?? []), [pages]);
  const isPartial = pages?.some((page) => page.isPartial) === true;
  const list = useRef<HTMLElement>(null);
  useCurrentInView(list, { currentId, pages: chats.pages, hasMore: chats.hasMore, loadMore });
  useAppEvents(({ type }) => {
    if (type === "chats-changed" || type === "reconnected") refresh();
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
      {groups.length > 0 && (
        <a className="skip-list" href="#content">
          Skip the list of chats
        </a>
      )}
      <nav ref={list} className="chat-list" aria-label="Chats" aria-busy={chats.pages === undefined}>
        {chats.error && <Failure message={chats.error} onRetry={reload} />}
        {pages && groups.length === 0 && <p className="hint">{emptyText(query, isPartial)}</p>}
        {groups.map(({ label, chats: group }) => (
          <section key={label} aria-label={label}>
            <h2>{label}</h2>
            <ul>
              {group.map((chat) => (
                <ChatRow
                  key={chat.id}
                  chat={chat}
                  isCurrent={chat.id === currentId}
                  onFollow={onFollow}
                  onChanged={reload}
                />
              ))}
            </ul>
          </section>
        ))}
        {isPartial && groups.length > 0 && (
          <p className="hint">Not all matching chats are listed. Try a longer text.</p>
        )}
        {chats.moreError && <Failure message={chats.moreError} onRetry={loadMore} />}
        {chats.hasMore && <ShowMore list={list} pages={chats.pages?.length ?? 0} onMore={loadMore} />}
      </nav>
    </>
  );
}

function emptyText(query: string, isPartial: boolean): string {
  if (query === "") return "No chats yet";
  return isPartial ? "The search took too long. Try a longer text." : "No matching chats";
}
