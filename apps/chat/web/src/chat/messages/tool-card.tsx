import { getToolName } from "ai";
import { useId, useMemo, useState } from "react";
import { estimateTokens } from "skillset";
import { Badge } from "../../ui/badge.tsx";
import { tokensText } from "../../ui/tokens-text.ts";
import { DeniedCall } from "./denied-call.tsx";
import { describeTool, type ReadFile, type ToolDescription, type ToolPart } from "./describe-tool.ts";
import { FileLink, readAddress } from "./file-link.tsx";
import { useChatScripts } from "./live-script.ts";
import { ToolHead } from "./tool-head.tsx";
import { ToolText } from "./tool-text.tsx";

interface ToolCardProps {
  readonly part: ToolPart;
  readonly isAnswerEnded: boolean;
}

/** A tool call: the operation, the skill or file, and the result. */
export function ToolCard({ part, isAnswerEnded }: ToolCardProps) {
  const tool = describeTool(part, isAnswerEnded);
  const sentenceId = useId();
  const bodyId = useId();
  // Until the user toggles it, the card expands and collapses with its content.
  const [chosen, setChosen] = useState<boolean | undefined>();
  const isOpen = chosen ?? tool.isOpen;
  // What a file or the instructions of a skill added to the conversation.
  const isRead = tool.icon === "file" && tool.state === "done";
  const tokens = useMemo(() => (isRead ? estimateTokens(tool.body) : tool.tokens), [isRead, tool.body, tool.tokens]);
  return (
    <article className={`tool-card ${tool.state}`} aria-labelledby={sentenceId}>
      <ToolHead
        icon={tool.icon}
        verb={tool.verb}
        object={tool.object}
        details={[tool.skill, tokens === undefined ? undefined : tokensText(tokens)]}
        isOpen={isOpen}
        sentenceId={sentenceId}
        bodyId={bodyId}
        onToggle={() => setChosen(!isOpen)}
      >
        {tool.isTruncated && <Badge tone="warning">truncated</Badge>}
        {tool.isChanged && <Badge tone="warning">changed</Badge>}
        <State state={tool.state} />
      </ToolHead>
      {tool.cause && <p className="tool-cause hint">{tool.cause}</p>}
      {isOpen && (
        <div id={bodyId} className="tool-box">
          <Body tool={tool} />
          <p className="tool-wire">
            <code>{getToolName(part)}</code>
          </p>
        </div>
      )}
      {tool.state === "failed" && !isOpen && <p className="tool-error">{tool.body}</p>}
    </article>
  );
}

const STATES = {
  failed: { tone: "bad", word: "failed" },
  denied: { tone: "warning", word: "not allowed" },
} as const;

/** Success needs no mark: the sentence says it. */
function State({ state }: { readonly state: ToolDescription["state"] }) {
  if (state === "running" || state === "done") return null;
  const { tone, word } = STATES[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** A file that is not text: what the model was told, a download, and a preview of an image. */
function FileBody({ tool, file }: { readonly tool: ToolDescription; readonly file: ReadFile }) {
  const { chatId } = useChatScripts();
  const { skill, path, size, isMissing } = file;
  return (
    <div className="tool-body script-body">
      {tool.state === "failed" && <p className="tool-error">{tool.body}</p>}
      {isMissing ? (
        <p className="note">
          <code>{path}</code> is no longer available.
        </p>
      ) : (
        <ul className="script-files" aria-label="Files">
          <FileLink path={path} size={size} address={readAddress(chatId, skill, path)} />
        </ul>
      )}
    </div>
  );
}

function Body({ tool }: { readonly tool: ToolDescription }) {
  if (tool.state === "running") return <p className="tool-body hint">Running…</p>;
  if (tool.denied !== undefined) {
    return (
      <div className="tool-body">
        <DeniedCall denied={tool.denied} owner={tool.owner} />
      </div>
    );
  }
  if (tool.file !== undefined) return <FileBody tool={tool} file={tool.file} />;
  if (tool.state === "failed") return <p className="tool-body tool-error">{tool.body}</p>;
  if (tool.body === "") return <p className="tool-body hint">No output</p>;
  return <ToolText text={tool.body} isMarkdown={tool.isMarkdown} skill={tool.owner || undefined} />;
}
