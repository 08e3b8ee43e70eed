import { CopyButton } from "../../ui/copy-button.tsx";
import { Markdown } from "../../ui/markdown.tsx";

/** The output of a tool, with a copy button. */
export function ToolText({ text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean }) {
  return (
    <div className="tool-body">
      <div className="tool-copy">
        <CopyButton text={text} label="Copy text" />
      </div>
      {isMarkdown ? (
        <Markdown text={text} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long text
        <pre tabIndex={0}>{text}</pre>
      )}
    </div>
  );
}
