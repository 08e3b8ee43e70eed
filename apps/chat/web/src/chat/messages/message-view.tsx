import { memo } from "react";
import type { ChatMessage } from "../../../../shared/api.ts";
import { AssistantMessage } from "./assistant-message.tsx";
import { UserMessage } from "./user-message.tsx";

export interface MessageViewProps {
  readonly message: ChatMessage;
  /** It is growing right now. */
  readonly isStreaming: boolean;
  readonly isBusy: boolean;
  readonly onRetry: (messageId: string) => void;
  readonly onEdit: (messageId: string, text: string) => void;
}

export const MessageView = memo(
  function MessageView(props: MessageViewProps) {
    return props.message.role === "user" ? <UserMessage {...props} /> : <AssistantMessage {...props} />;
  },
  // The callbacks are made anew on every drawing and always do the same.
  (before, after) =>
    before.message === after.message && before.isStreaming === after.isStreaming && before.isBusy === after.isBusy,
);
