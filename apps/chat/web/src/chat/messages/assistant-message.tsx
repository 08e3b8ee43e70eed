import { isToolUIPart } from "ai";
import type { ChatMessage } from "../../../../shared/api.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { SeenAction } from "../../seen/seen-action.tsx";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { AnswerFacts } from "./answer-facts.tsx";
import { AnswerMarks } from "./answer-marks.tsx";
import { BranchSwitch } from "./branch-switch.tsx";
import type { MessageProps } from "./message-props.ts";
import { answerText } from "./message-text.ts";
import { ScriptCall } from "./script-card.tsx";
import { ToolCard } from "./tool-card.tsx";

export function AssistantMessage(props: MessageProps) {
  const { message, isStreaming, isLast, onRetry, onFork } = props;
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
      {sectionsOf(message.parts).map((section) =>
        section.isTimeline ? (
          <div key={section.at} className="timeline">
            {section.parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids and are only ever added at the end
              <Part key={index} part={part} isStreaming={isStreaming} />
            ))}
          </div>
        ) : (
          section.parts.map((part) => <Part key={section.at} part={part} isStreaming={isStreaming} />)
        ),
      )}
      <AnswerMarks message={message} isStreaming={isStreaming} isLast={isLast} onRetry={onRetry} />
      {isStreaming && message.parts.some(isToolUIPart) && (
        <div className="seen-live">
          <SeenAction message={message} />
        </div>
      )}
      {!isStreaming && (
        <div className="message-actions">
          <BranchSwitch {...props} />
          {text !== "" && <CopyButton text={text} label="Copy answer" />}
          <IconButton className="when-idle" icon="refresh" label="Regenerate" onClick={() => onRetry(message.id)} />
          <IconButton
            className="when-idle"
            icon="fork"
            label="Continue in a new chat"
            onClick={() => onFork(message.id)}
          />
          <SeenAction message={message} />
          <AnswerFacts metadata={message.metadata} />
        </div>
      )}
    </>
  );
}

type MessagePart = ChatMessage["parts"][number];

interface Section {
  /** The place of its first part, which never changes. */
  readonly at: number;
  readonly isTimeline: boolean;
  readonly parts: MessagePart[];
}

/** What is shown of an answer, in order: tool calls without words in between are one timeline. */
function sectionsOf(parts: readonly MessagePart[]): Section[] {
  const sections: Section[] = [];
  for (const [at, part] of parts.entries()) {
    const isTimeline = isToolUIPart(part);
    if (!isTimeline && !((part.type === "text" || part.type === "reasoning") && part.text !== "")) continue;
    const last = sections.at(-1);
    if (isTimeline && last?.isTimeline) last.parts.push(part);
    else sections.push({ at, isTimeline, parts: [part] });
  }
  return sections;
}

interface PartProps {
  readonly part: MessagePart;
  readonly isStreaming: boolean;
}

function Part({ part, isStreaming }: PartProps) {
  if (part.type === "tool-skills_run_script") return <ScriptCall part={part} isAnswerEnded={!isStreaming} />;
  if (isToolUIPart(part)) return <ToolCard part={part} isAnswerEnded={!isStreaming} />;
  if (part.type === "text") return <Markdown text={part.text} />;
  if (part.type === "reasoning") {
    return (
      <details className="reasoning">
        <summary>Reasoning</summary>
        <Markdown text={part.text} />
      </details>
    );
  }
  return null;
}
