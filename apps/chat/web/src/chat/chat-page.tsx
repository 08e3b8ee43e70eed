import { useState } from "react";
import type { Chat } from "../../../shared/api.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { useResource } from "../api/use-resource.ts";
import { InBin } from "../bin/in-bin.tsx";
import { Link } from "../router/link.tsx";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ChatView } from "./chat-view.tsx";
import { waitingTurn } from "./first-turn.ts";

export function ChatPage({ id }: { readonly id: string }) {
  const [fresh] = useState(() => waitingTurn(id)?.chat);
  const stored = useResource<Chat>(fresh ? undefined : `/api/chats/${encodeURIComponent(id)}`);
  useAppEvents(({ type }) => {
    const isRestored = type === "chats-changed" && stored.code === "chat-in-bin";
    if (isRestored || (type === "reconnected" && stored.error !== undefined)) void stored.reload();
  });
  const chat = fresh ?? stored.data;
  if (chat) return <ChatView initial={chat} />;
  if (stored.code === "chat-in-bin") {
    return (
      <>
        <PageHeader title="Chat in the bin" />
        <div className="page">
          <InBin chatId={id} onRestored={stored.reload} />
        </div>
      </>
    );
  }
  if (stored.isMissing) {
    return (
      <>
        <PageHeader title="Chat not found" />
        <div className="page">
          <p>
            This chat does not exist, or it was deleted. <Link to="/">Start a new chat</Link>
          </p>
        </div>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Chat" />
      {stored.error ? (
        <div className="page">
          <Failure message={stored.error} onRetry={() => void stored.reload()} />
        </div>
      ) : (
        <div className="conversation">
          <Skeleton lines={9} />
        </div>
      )}
    </>
  );
}
