import type { ChatMessage } from "../../../shared/api.ts";
import { Icon } from "../ui/icon.tsx";
import { usageText } from "./figures.ts";
import { closeAnswer, openAnswer, useOpenAnswer } from "./use-open-answer.ts";

/** Opens what the model saw for an answer, and says what the answer used. */
export function SeenAction({ message }: { readonly message: ChatMessage }) {
  const isOpen = useOpenAnswer() === message.id;
  const { usage } = message.metadata ?? {};
  return (
    <>
      <button
        type="button"
        className="seen-action"
        data-answer={message.id}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? closeAnswer() : openAnswer(message.id))}
      >
        <Icon name="eye" />
        What the model saw
      </button>
      {usage && <span className="seen-usage">{usageText(usage)}</span>}
    </>
  );
}
