import { memo } from "react";
import { useNear } from "../../ui/use-near.ts";
import { AssistantMessage } from "./assistant-message.tsx";
import type { MessageProps } from "./message-props.ts";
import { answerText } from "./message-text.ts";
import { UserMessage } from "./user-message.tsx";

interface MessageViewProps extends MessageProps {
  /** False for messages far up in a long chat, which are drawn in full when they come near. */
  readonly startsNear: boolean;
}

/** Draws a message again only if it changed: a long chat has hundreds of them. */
export const MessageView = memo(
  function MessageView({ startsNear, ...props }: MessageViewProps) {
    const [item, isNear] = useNear<HTMLLIElement>(startsNear);
    const { message, isStreaming } = props;
    const isUser = message.role === "user";
    return (
      <li
        ref={item}
        data-item=""
        className={isUser ? "message user" : "message assistant"}
        aria-busy={isUser ? undefined : isStreaming}
      >
        {!isNear && <div className={isUser ? "bubble" : "plain-text"}>{answerText(message)}</div>}
        {isNear && (isUser ? <UserMessage {...props} /> : <AssistantMessage {...props} />)}
      </li>
    );
  },
  // `startsNear` matters only once.
  (before, after) =>
    before.message === after.message &&
    before.isStreaming === after.isStreaming &&
    before.isLast === after.isLast &&
    before.siblings?.join() === after.siblings?.join() &&
    before.onRetry === after.onRetry &&
    before.onEdit === after.onEdit &&
    before.onBranch === after.onBranch &&
    before.onFork === after.onFork,
);
