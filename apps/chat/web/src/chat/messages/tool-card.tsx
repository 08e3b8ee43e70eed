import { useId, useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { DeniedCall } from "./denied-call.tsx";
import { describeTool, type ToolDescription, type ToolPart } from "./describe-tool.ts";
import { ToolHead } from "./tool-head.tsx";
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
      <ToolHead
        icon={tool.icon}
        title={tool.title}
        subject={tool.subject}
        isOpen={isOpen}
        bodyId={bodyId}
        onToggle={() => setChosen(!isOpen)}
      >
        {tool.isTruncated && <Badge tone="warning">truncated</Badge>}
        {tool.isChanged && <Badge tone="warning">changed</Badge>}
        <State state={tool.state} />
      </ToolHead>
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
  return <ToolText text={tool.body} isMarkdown={tool.isMarkdown} skill={tool.isMarkdown ? tool.subject : undefined} />;
}
