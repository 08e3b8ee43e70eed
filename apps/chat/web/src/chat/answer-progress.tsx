import { Skeleton } from "../ui/skeleton.tsx";

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
  if (!isWaiting) return null;
  return (
    <div className="waiting">
      <p className="visually-hidden">Waiting for the answer…</p>
      <Skeleton />
    </div>
  );
}
