import { useCallback, useState } from "react";

/** Where the text of a chat that does not exist yet is kept. */
export const NEW_CHAT = "new";

/** What is being written in a chat. It outlives a reload, and the sending too until the server has taken it. */
export function useDraft(chatId: string, { isBeingSent = false } = {}) {
  const [text, setText] = useState(() => (isBeingSent ? "" : readDraft(chatId)));
  const write = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(chatId, next);
    },
    [chatId],
  );
  /** Empties the field, and keeps what was in it. */
  const clear = useCallback(() => setText(""), []);
  return { text, write, clear };
}

export function keepDraft(chatId: string, text: string): void {
  if (text === "") localStorage.removeItem(keyOf(chatId));
  else localStorage.setItem(keyOf(chatId), text);
}

/** The server has this text; another one that was begun meanwhile stays. */
export function dropDraft(chatId: string, text: string): void {
  if (readDraft(chatId) === text) localStorage.removeItem(keyOf(chatId));
}

function readDraft(chatId: string): string {
  return localStorage.getItem(keyOf(chatId)) ?? "";
}

function keyOf(chatId: string): string {
  return `draft:${chatId}`;
}
