import type { ChatMessage } from "../../../../shared/api.ts";

export interface MessageProps {
  readonly message: ChatMessage;
  /** The message is still being streamed. */
  readonly isStreaming: boolean;
  /** The failure of the last message is shown at the end of the chat, where it stays in view. */
  readonly isLast: boolean;
  readonly onRetry: (messageId: string) => void;
  readonly onEdit: (messageId: string, text: string) => void;
}
