import { type ChatTransport, DefaultChatTransport } from "ai";
import type { ChatMessage, TurnRequest } from "../../../shared/api.ts";
import { adminToken } from "./admin-token.ts";
import { send } from "./request.ts";

export interface TurnTransportOptions {
  /** The ids of the messages on the server. A message that never reached it replaces nothing. */
  readonly stored: ReadonlySet<string>;
  /** Called when the server has stored the message. */
  readonly onTaken: (message: ChatMessage) => void;
}

/** Sends the last message, since the server has the others, and the id of the message that it replaces. */
export function turnTransport(
  chatId: string,
  modelId: () => string,
  { stored, onTaken }: TurnTransportOptions,
): ChatTransport<ChatMessage> {
  const path = `/api/chats/${encodeURIComponent(chatId)}/turn`;
  return new DefaultChatTransport<ChatMessage>({
    api: path,
    headers: (): Record<string, string> => {
      const token = adminToken();
      return token === undefined ? {} : { authorization: `Bearer ${token}` };
    },
    // API errors are rethrown with their message.
    fetch: async (_input, init) => {
      const body = JSON.parse(String(init?.body)) as TurnRequest;
      const response = await send(path, { method: "POST", body, signal: init?.signal ?? undefined });
      onTaken(body.message);
      return response;
    },
    prepareSendMessagesRequest: ({ messages }) => ({ body: turnRequest(messages, modelId(), stored) }),
  });
}

function turnRequest(messages: readonly ChatMessage[], modelId: string, stored: ReadonlySet<string>): TurnRequest {
  const message = messages.findLast(({ role }) => role === "user");
  if (message === undefined) throw new Error("No message to send.");
  return { message, modelId, replaceFrom: stored.has(message.id) ? message.id : undefined };
}
