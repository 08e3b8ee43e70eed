import type { ChatMessage } from "../../../../shared/api.ts";

export interface MessageProps {
  readonly message: ChatMessage;
  /** The message is still being streamed. */
  readonly isStreaming: boolean;
  readonly onRetry: (messageId: string) => void;
  readonly onEdit: (messageId: string, text: string) => void;
}
