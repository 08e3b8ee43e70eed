import { sentenceOf } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toast.tsx";
import { restoreEntry } from "./use-undo-toast.ts";

interface InBinProps {
  readonly chatId: string;
  readonly onRestored: () => void;
}

/** Says that a chat is in the bin, and restores it. */
export function InBin({ chatId, onRestored }: InBinProps) {
  const showToast = useToast();
  const restore = async () => {
    try {
      await restoreEntry(chatId);
      onRestored();
    } catch (error) {
      showToast(sentenceOf(error));
    }
  };
  return (
    <div className="in-bin" role="alert">
      <p>This chat is in the bin.</p>
      <Button onClick={() => void restore()}>Restore</Button>
    </div>
  );
}
