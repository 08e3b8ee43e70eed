interface AnswerProgressProps {
  readonly isWaiting: boolean;
  readonly isConnected: boolean;
}

/** Says what a person waits for while an answer is running. */
export function AnswerProgress({ isWaiting, isConnected }: AnswerProgressProps) {
  if (!isConnected) {
    return (
      <p className="waiting" role="status">
        Connection lost. Reconnecting…
      </p>
    );
  }
  return isWaiting ? <p className="waiting">Waiting for the answer…</p> : null;
}
