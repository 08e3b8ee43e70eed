import { Markdown } from "../../markdown/markdown.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";

interface ToolTextProps {
  readonly text: string;
  readonly isMarkdown: boolean;
  /** The skill that the text belongs to. */
  readonly skill?: string | undefined;
}

/** The output of a tool, with a copy button. */
export function ToolText({ text, isMarkdown, skill }: ToolTextProps) {
  return (
    <div className="tool-body">
      <div className="tool-copy">
        <CopyButton text={text} label="Copy text" />
      </div>
      {isMarkdown ? (
        <Markdown text={text} skill={skill} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long text
        <pre tabIndex={0}>{text}</pre>
      )}
    </div>
  );
}
