import type { ChatTransport } from "ai";
import type { ChatMessage, TurnRequest } from "../../../shared/api.ts";
import { onVisibility, whenVisible } from "./page-visibility.ts";
import { readAnswer } from "./read-answer.ts";
import { send } from "./request.ts";

export interface TurnTransportOptions {
  /** The ids of the messages on the server. A message that never reached it replaces nothing. */
  readonly stored: ReadonlySet<string>;
  /** The messages that edited ones replace, by the ids of the edited ones. */
  readonly edits: ReadonlyMap<string, string>;
  /** Called when the server has stored the message. */
  readonly onTaken: (message: ChatMessage) => void;
  /** Called when the connection is lost during an answer, and when it is back. */
  readonly onConnection: (isConnected: boolean) => void;
}

/** Sends the last message, since the server has the others, and the id of the message that it replaces. */
export function turnTransport(
  chatId: string,
  modelId: () => string,
  { stored, edits, onTaken, onConnection }: TurnTransportOptions,
): ChatTransport<ChatMessage> {
  const path = `/api/chats/${encodeURIComponent(chatId)}`;
  const read = (response: Response, signal: AbortSignal | undefined) => {
    const open = async (query: string, ending: AbortSignal) => {
      await whenVisible(ending);
      return send(`${path}/answer${query}`, { signal: ending });
    };
    const onChange = (isConnected: boolean) => {
      if (isConnected || document.visibilityState === "visible") onConnection(isConnected);
    };
    return readAnswer(response, { open, onNetwork, onConnection: onChange, signal });
  };
  return {
    // An answer that a page joins is sent from its start.
    resumeStreamIsReplay: true,
    sendMessages: async ({ messages, abortSignal: signal }) => {
      const message = messages.findLast(({ role }) => role === "user");
      if (message === undefined) throw new Error("No message to send.");
      const replaceFrom = stored.has(message.id) ? message.id : edits.get(message.id);
      const body: TurnRequest = { message, modelId: modelId(), replaceFrom };
      const response = await send(`${path}/turn`, { method: "POST", body, signal });
      onTaken(body.message);
      return read(response, signal);
    },
    reconnectToStream: async ({ abortSignal: signal }) => {
      // If the server is not responding, the page joins later.
      const response = await send(`${path}/answer`, { signal }).catch(() => undefined);
      return response === undefined || response.status === 204 ? null : read(response, signal);
    },
  };
}

function onNetwork(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  const forget = onVisibility((isVisible) => {
    if (!isVisible) listener();
  });
  return () => {
    forget();
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
