import type { RebuiltRequest, RequestMessage, RequestText, RequestTool } from "../../../shared/steps-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Badge } from "../ui/badge.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { countText } from "../ui/count-text.ts";
import { Failure } from "../ui/failure.tsx";
import { numberText } from "./figures.ts";
import { KIND_WORDS, subjectOf } from "./part-words.ts";

/** A request as the model received it, message by message. */
export function RequestView({ path }: { readonly path: string }) {
  const { data, error, reload } = useResource<RebuiltRequest>(path);
  if (error !== undefined) return <Failure message={error} onRetry={() => void reload()} />;
  if (data === undefined) return <p className="hint">Rebuilding the request…</p>;
  return (
    <div className="seen-request">
      <div className="seen-request-head">
        {data.isExact ? <Badge tone="good">exact</Badge> : <Badge tone="warning">not exact</Badge>}
        <code title={data.digest}>{data.digest.slice(0, 15)}…</code>
        <CopyButton text={JSON.stringify(JSON.parse(data.json), null, 2)} label="Copy request as JSON" />
      </div>
      {!data.isExact && <Reasons reasons={data.reasons} />}
      {data.tools.length > 0 && <Tools tools={data.tools} />}
      {data.messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a request never change
        <Message key={index} message={message} />
      ))}
    </div>
  );
}

function Reasons({ reasons }: Pick<RebuiltRequest, "reasons">) {
  if (reasons.length === 0) return <p className="hint">The rebuilt request differs from the one that was sent.</p>;
  return (
    <ul className="seen-reasons">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

const ROLES: Readonly<Record<string, string>> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
};

function Message({ message: { role, texts } }: { readonly message: RequestMessage }) {
  const tokens = texts.reduce((sum, one) => sum + one.tokens, 0);
  const isMissing = texts.some((one) => one.isMissing);
  return (
    <details className="seen-message">
      <summary>
        <b>{ROLES[role] ?? role}</b>
        <span className="seen-preview">{texts.map(previewOf).join(" · ")}</span>
        {isMissing && <Badge tone="warning">text missing</Badge>}
        {tokens > 0 && <span className="seen-number">{numberText(tokens)}</span>}
      </summary>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the texts of a request never change
        <Text key={index} text={text} />
      ))}
    </details>
  );
}

/** The kind of an inserted text, or the start of words. */
function previewOf(one: RequestText): string {
  const { kind, tool, text } = one;
  if (kind === "call") return `${tool}`;
  if (kind === "question" || kind === "answer" || kind === "reasoning") return text.trim().slice(0, 80);
  return [kind === "result" ? (tool ?? "") : KIND_WORDS[kind], subjectOf(one)].filter(Boolean).join(" ");
}

function Text({ text: one }: { readonly text: RequestText }) {
  const { kind, tool, tokens, text, isMissing } = one;
  const label = [KIND_WORDS[kind], subjectOf(one) ?? tool].filter(Boolean).join(" · ");
  return (
    <figure className={isMissing ? "seen-text missing" : "seen-text"}>
      <figcaption>
        <i className={`seen-swatch ${kind}`} />
        <span>{label}</span>
        {tokens > 0 && <span className="seen-number">{countText(tokens, "token")}</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long texts */}
      <pre tabIndex={0}>{text.trim()}</pre>
    </figure>
  );
}

function Tools({ tools }: { readonly tools: readonly RequestTool[] }) {
  const tokens = tools.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <details className="seen-message">
      <summary>
        <b>Tools</b>
        <span className="seen-preview">{tools.map(({ name }) => name).join(" · ")}</span>
        <span className="seen-number">{numberText(tokens)}</span>
      </summary>
      {tools.map(({ name, tokens: size, definition }) => (
        <figure className="seen-text" key={name}>
          <figcaption>
            <i className="seen-swatch tool" />
            <span>{name}</span>
            <span className="seen-number">{countText(size, "token")}</span>
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long texts */}
          <pre tabIndex={0}>{definition}</pre>
        </figure>
      ))}
    </details>
  );
}
