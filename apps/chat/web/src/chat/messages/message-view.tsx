import { memo } from "react";
import { AssistantMessage } from "./assistant-message.tsx";
import type { MessageProps } from "./message-props.ts";
import { UserMessage } from "./user-message.tsx";

export const MessageView = memo(
  function MessageView(props: MessageProps) {
    return props.message.role === "user" ? <UserMessage {...props} /> : <AssistantMessage {...props} />;
  },
  // The callbacks are new on each render and always do the same, so they are not compared.
  (before, after) =>
    before.message === after.message && before.isStreaming === after.isStreaming && before.isBusy === after.isBusy,
);
