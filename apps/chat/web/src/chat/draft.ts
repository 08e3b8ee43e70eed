import { useCallback, useState } from "react";

/** The key for the text of a chat that is not created yet. */
export const NEW_CHAT = "new";

/** The unsent text of a chat. It survives reloads, and is kept while sending until the server has stored it. */
export function useDraft(chatId: string, { isBeingSent = false } = {}) {
  const [text, setText] = useState(() => (isBeingSent ? "" : readDraft(chatId)));
  const write = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(chatId, next);
    },
    [chatId],
  );
  /** Clears the field and keeps the stored draft. */
  const clear = useCallback(() => setText(""), []);
  return { text, write, clear };
}

export function keepDraft(chatId: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(keyOf(chatId));
    else localStorage.setItem(keyOf(chatId), text);
  } catch {
    // The storage is full or disabled; the text stays in the field.
  }
}

/** Deletes this text once the server has it. A newer draft stays. */
export function dropDraft(chatId: string, text: string): void {
  if (readDraft(chatId) === text) localStorage.removeItem(keyOf(chatId));
}

export function readDraft(chatId: string): string {
  return localStorage.getItem(keyOf(chatId)) ?? "";
}

/** Puts a task before an unsent text, in the place of the task that was put there last. */
export function withTask(draft: string, task: string): string {
  const isLast = lastTask !== "" && (draft === lastTask || draft.startsWith(`${lastTask}\n\n`));
  const rest = isLast ? draft.slice(lastTask.length).trimStart() : draft;
  lastTask = task;
  return rest.trim() === "" ? task : `${task}\n\n${rest}`;
}

let lastTask = "";

function keyOf(chatId: string): string {
  return `draft:${chatId}`;
}
