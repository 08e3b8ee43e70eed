import { isToolUIPart } from "ai";
import type { ChatMessage } from "../../../../shared/api.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { AnswerMarks } from "./answer-marks.tsx";
import type { MessageProps } from "./message-props.ts";
import { answerText } from "./message-text.ts";
import { ScriptCall } from "./script-card.tsx";
import { ToolCard } from "./tool-card.tsx";

export function AssistantMessage({ message, isStreaming, isLast, onRetry }: MessageProps) {
  const { fallback, triggered = [] } = message.metadata ?? {};
  const text = answerText(message);
  return (
    <>
      <h2 className="visually-hidden">Answer</h2>
      {fallback && (
        <p className="note">
          This model has no tools, so the instructions of <code>{fallback}</code> were added to the prompt for this
          answer.
          {triggered.map(({ kind, trigger }) => ` The message matches the ${kind} '${trigger}'.`)}
        </p>
      )}
      {message.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids and are only ever added at the end
        <Part key={index} part={part} isStreaming={isStreaming} />
      ))}
      <AnswerMarks message={message} isStreaming={isStreaming} isLast={isLast} onRetry={onRetry} />
      {!isStreaming && (
        <div className="message-actions">
          {text !== "" && <CopyButton text={text} label="Copy answer" />}
          <IconButton className="when-idle" icon="refresh" label="Regenerate" onClick={() => onRetry(message.id)} />
        </div>
      )}
    </>
  );
}

interface PartProps {
  readonly part: ChatMessage["parts"][number];
  readonly isStreaming: boolean;
}

function Part({ part, isStreaming }: PartProps) {
  if (part.type === "tool-skills_run_script") return <ScriptCall part={part} isAnswerEnded={!isStreaming} />;
  if (isToolUIPart(part)) return <ToolCard part={part} isAnswerEnded={!isStreaming} />;
  if (part.type === "text" && part.text !== "") return <Markdown text={part.text} />;
  if (part.type === "reasoning" && part.text !== "") {
    return (
      <details className="reasoning">
        <summary>Reasoning</summary>
        <Markdown text={part.text} />
      </details>
    );
  }
  return null;
}
