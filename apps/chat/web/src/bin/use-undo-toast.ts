import { useCallback } from "react";
import { request, sentenceOf } from "../api/request.ts";
import { useToast } from "../ui/toast.tsx";

/** Restores an entry of the bin. */
export function restoreEntry(id: string): Promise<void> {
  return request<void>(`/api/bin/${encodeURIComponent(id)}/restore`, { method: "POST" });
}

/** Returns a function that shows what moved to the bin, with a button that restores it. */
export function useUndoToast() {
  const showToast = useToast();
  return useCallback(
    (text: string, entryId: string, onRestored: () => void = () => {}) => {
      const undo = async () => {
        try {
          await restoreEntry(entryId);
          onRestored();
        } catch (error) {
          showToast(sentenceOf(error));
        }
      };
      showToast(text, { label: "Undo", isUndo: true, run: () => void undo() });
    },
    [showToast],
  );
}
