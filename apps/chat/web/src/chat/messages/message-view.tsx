import { memo } from "react";
import { AssistantMessage } from "./assistant-message.tsx";
import type { MessageProps } from "./message-props.ts";
import { UserMessage } from "./user-message.tsx";

/** Draws a message again only if it changed: a long chat has hundreds of them. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  return props.message.role === "user" ? <UserMessage {...props} /> : <AssistantMessage {...props} />;
});
