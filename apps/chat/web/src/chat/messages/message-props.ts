import type { ChatMessage } from "../../../../shared/api.ts";

export interface MessageProps {
  readonly message: ChatMessage;
  /** The message is still being streamed. */
  readonly isStreaming: boolean;
  /** The failure of the last message is shown at the end of the chat, where it stays in view. */
  readonly isLast: boolean;
  /** The ids of all versions of the message; undefined if it is the only one. */
  readonly siblings?: readonly string[] | undefined;
  readonly onRetry: (messageId: string) => void;
  readonly onEdit: (messageId: string, text: string) => void;
  /** Shows the branch that starts with a message, and announces its name. */
  readonly onBranch: (messageId: string, name: string) => void;
  /** Opens a new chat with the messages up to this one. */
  readonly onFork: (messageId: string) => void;
}
