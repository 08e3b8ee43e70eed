import type { AppState } from "../../../shared/api.ts";

const KEY = "model";

/** The model that was chosen last in this browser, if it is still available. New chats start with it. */
export function lastModel({ models, defaultModelId }: Pick<AppState, "models" | "defaultModelId">): string {
  const kept = localStorage.getItem(KEY);
  return models.find(({ id }) => id === kept)?.id ?? defaultModelId;
}

export function keepModel(id: string): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // The storage is full or disabled; new chats start with the default.
  }
}
