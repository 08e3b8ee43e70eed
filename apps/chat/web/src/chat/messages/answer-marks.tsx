import { useEffect, useState } from "react";
import type { ChatMessage, ModelRetry } from "../../../../shared/api.ts";
import { Failure } from "../../ui/failure.tsx";
import type { MessageProps } from "./message-props.ts";

/** What happened to an answer, below its text: a retry that waits, messages that were left out, a cut or a failure. */
export function AnswerMarks({
  message,
  isStreaming,
  isLast,
  onRetry,
}: Pick<MessageProps, "message" | "isStreaming" | "isLast" | "onRetry">) {
  const { isCut, failure, leftOut } = message.metadata ?? {};
  const retry = isStreaming ? retryOf(message) : undefined;
  return (
    <>
      {retry && <RetryLine retry={retry} />}
      {leftOut !== undefined && (
        <p className="note">
          {leftOut === 1 ? "One earlier message was" : `${leftOut} earlier messages were`} left out of the request,
          because this chat is too long for the model.
        </p>
      )}
      {!isLast && failure !== undefined && <Failure message={failure} onRetry={() => onRetry(message.id)} />}
      {!isStreaming && isCut && failure === undefined && <p className="note">{cutText(message)}</p>}
    </>
  );
}

/** When a server is killed at once, only the fact that the answer had started is stored. */
function cutText({ parts, metadata }: ChatMessage): string {
  if (metadata?.isTooLong) return "The answer was cut off here: it exceeded 4 MiB.";
  if (metadata?.isStopped) return "You stopped this answer.";
  return parts.length > 0 ? "The answer was cut off here." : "The server stopped before this answer was complete.";
}

function retryOf({ parts }: ChatMessage): ModelRetry | undefined {
  const part = parts.findLast(({ type }) => type === "data-retry");
  return part?.type === "data-retry" ? (part.data ?? undefined) : undefined;
}

/** Counts the seconds to the next request. */
function RetryLine({ retry: { at, attempt, attempts } }: { readonly retry: ModelRetry }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(at) - now) / 1000));
  const when = seconds === 0 ? "now" : seconds === 1 ? "in 1 second" : `in ${seconds} seconds`;
  return (
    <p className="note">
      The model is not available right now. Attempt {attempt} of {attempts} {when}.
    </p>
  );
}
