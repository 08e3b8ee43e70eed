import { CopyButton } from "../../ui/copy-button.tsx";
import { Markdown } from "../../ui/markdown.tsx";

/** What a tool gave, with a button to copy it. */
export function ToolText({ text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean }) {
  return (
    <div className="tool-body">
      <div className="tool-copy">
        <CopyButton text={text} label="Copy the text" />
      </div>
      {isMarkdown ? (
        <Markdown text={text} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long text is scrolled with the arrow keys
        <pre tabIndex={0}>{text}</pre>
      )}
    </div>
  );
}
