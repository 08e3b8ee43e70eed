import { useId, useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DeniedCall } from "./denied-call.tsx";
import { describeTool, type ToolDescription, type ToolPart } from "./describe-tool.ts";
import { ToolText } from "./tool-text.tsx";

interface ToolCardProps {
  readonly part: ToolPart;
  readonly isAnswerEnded: boolean;
}

/** A tool call: the operation, the skill or file, and the result. */
export function ToolCard({ part, isAnswerEnded }: ToolCardProps) {
  const tool = describeTool(part, isAnswerEnded);
  const bodyId = useId();
  // Until the user toggles it, the card expands and collapses with its content.
  const [chosen, setChosen] = useState<boolean | undefined>();
  const isOpen = chosen ?? tool.isOpen;
  const label = tool.subject === "" ? tool.title : `${tool.title}: ${tool.subject}`;
  return (
    <article className={`tool-card ${tool.state}`} aria-label={label}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        onClick={() => setChosen(!isOpen)}
      >
        <Icon name={tool.icon} />
        <span className="tool-title">{tool.title}</span>
        <span className="tool-subject">{tool.subject}</span>
        {tool.isTruncated && <Badge tone="warning">truncated</Badge>}
        {tool.isChanged && <Badge tone="warning">changed</Badge>}
        <State state={tool.state} />
      </button>
      {tool.cause && <p className="tool-cause hint">{tool.cause}</p>}
      {isOpen && (
        <div id={bodyId}>
          <Body tool={tool} />
        </div>
      )}
      {tool.state === "failed" && !isOpen && <p className="tool-error">{tool.body}</p>}
    </article>
  );
}

const STATES = {
  running: { tone: "accent", word: "running" },
  done: { tone: "good", word: "done" },
  failed: { tone: "bad", word: "failed" },
  denied: { tone: "warning", word: "not allowed" },
} as const;

function State({ state }: { readonly state: ToolDescription["state"] }) {
  const { tone, word } = STATES[state];
  return <Badge tone={tone}>{word}</Badge>;
}

function Body({ tool }: { readonly tool: ToolDescription }) {
  if (tool.state === "running") return <p className="tool-body hint">Running…</p>;
  if (tool.denied !== undefined) {
    return (
      <div className="tool-body">
        <DeniedCall denied={tool.denied} owner={tool.subject} />
      </div>
    );
  }
  if (tool.state === "failed") return <p className="tool-body tool-error">{tool.body}</p>;
  if (tool.body === "") return <p className="tool-body hint">No output</p>;
  return <ToolText text={tool.body} isMarkdown={tool.isMarkdown} />;
}
