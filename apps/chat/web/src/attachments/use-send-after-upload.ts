import { useEffect, useRef, useState } from "react";
import type { Attachments } from "./use-attachments.ts";

interface WaitingMessage {
  readonly text: string;
  readonly files: Attachments | undefined;
  /** An answer is running, perhaps for another page. */
  readonly isBusy?: boolean;
}

/**
 * Sends a message when its files are uploaded. It stays in the field if one of them fails, or an answer runs by then.
 * If all were removed and there is no text, nothing is sent.
 */
export function useSendAfterUpload({ text, files, isBusy = false }: WaitingMessage, send: () => void) {
  const [isWaiting, setWaiting] = useState(false);
  const latest = useRef(send);
  latest.current = send;
  const { isUploading = false, hasFailed = false } = files ?? {};
  const canSend = (text.trim() !== "" || (files?.items.length ?? 0) > 0) && !hasFailed && !isBusy;
  useEffect(() => {
    if (!isWaiting || isUploading) return;
    setWaiting(false);
    if (canSend) latest.current();
  }, [isWaiting, isUploading, canSend]);
  return {
    isWaiting,
    send: () => {
      if (isUploading) setWaiting(true);
      else if (canSend) send();
    },
  };
}
