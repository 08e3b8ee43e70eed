import { useState } from "react";
import { sentenceOf } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toast.tsx";
import { restoreEntry } from "./use-undo-toast.ts";

interface InBinProps {
  readonly chatId: string;
  /** Resolves when the chat is shown again. */
  readonly onRestored: () => Promise<void>;
}

/** Says that a chat is in the bin, and restores it. */
export function InBin({ chatId, onRestored }: InBinProps) {
  const showToast = useToast();
  const [isRestoring, setRestoring] = useState(false);
  const restore = async () => {
    if (isRestoring) return;
    setRestoring(true);
    try {
      await restoreEntry(chatId);
      await onRestored();
    } catch (error) {
      showToast(sentenceOf(error));
    }
    setRestoring(false);
  };
  return (
    <div className="in-bin" role="alert">
      <p>This chat is in the bin.</p>
      <Button aria-disabled={isRestoring} onClick={() => void restore()}>
        Restore
      </Button>
    </div>
  );
}
