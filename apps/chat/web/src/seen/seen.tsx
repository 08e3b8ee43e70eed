import { lazy, Suspense } from "react";
import type { ChatMessage } from "../../../shared/api.ts";
import { useOpenAnswer } from "./use-open-answer.ts";

const SeenPanel = lazy(() => import("./seen-panel.tsx").then(({ SeenPanel: component }) => ({ default: component })));

interface SeenProps {
  readonly chatId: string;
  readonly messages: readonly ChatMessage[];
  /** The message that is being written. */
  readonly running: string | undefined;
}

/** What the model saw, beside the conversation, for the answer that the URL names. */
export function Seen({ chatId, messages, running }: SeenProps) {
  const id = useOpenAnswer();
  const answer = messages.find((message) => message.id === id && message.role === "assistant");
  if (answer === undefined) return null;
  return (
    <Suspense>
      <SeenPanel key={answer.id} chatId={chatId} answer={answer} isRunning={answer.id === running} />
    </Suspense>
  );
}
