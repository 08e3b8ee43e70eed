import type { ModelMessage } from "ai";
import {
  type CompactedMessages,
  type CompactMessagesOptions,
  compactWith,
  type MessageShape,
} from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { callsIn, mapText, replaceResults, replaceText, textOf } from "./message-text.ts";
import { fileTokensIn } from "./result-files.ts";

/** Shortens a history. The result contains the instructions of each active skill, or a stub that names it, exactly once. */
export function compactMessages(
  session: Session,
  messages: readonly ModelMessage[],
  options: CompactMessagesOptions,
): Promise<CompactedMessages<ModelMessage>> {
  return compactWith(session, messages, options, MESSAGE_SHAPE);
}

export const MESSAGE_SHAPE: MessageShape<ModelMessage> = {
  read: (message) => ({
    role: message.role,
    text: textOf(message),
    ...callsIn(message),
    fileTokens: fileTokensIn(message),
  }),
  mapText,
  replaceText,
  replaceResults,
  write: (content) => ({ role: "user", content }),
};
