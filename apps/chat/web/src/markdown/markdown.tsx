import { memo, useMemo } from "react";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { FootnoteContext, useFootnotes } from "./footnote-reference.tsx";
import { Footnotes } from "./footnotes.tsx";
import { MarkdownBlock } from "./markdown-block.tsx";
import { splitMarkdown } from "./markdown-blocks.ts";
import { isParsable } from "./markdown-limits.ts";
import { SkillContext } from "./markdown-links.tsx";

interface MarkdownProps {
  readonly text: string;
  /** The skill that the text belongs to; relative links in it lead to its files. */
  readonly skill?: string | undefined;
}

/**
 * Untrusted Markdown: HTML is shown as text, URLs are checked, and images are not loaded, because an image URL could leak
 * parts of the conversation. Text that cannot be parsed is shown unformatted.
 */
export const Markdown = memo(function Markdown({ text, skill }: MarkdownProps) {
  if (!isParsable(text)) return <PlainText text={text} />;
  return (
    <ErrorBoundary fallback={<PlainText text={text} />}>
      <SkillContext value={skill}>
        <Blocks text={text} />
      </SkillContext>
    </ErrorBoundary>
  );
});

/** Blocks that stay the same are not parsed again when text is added. */
function Blocks({ text }: { readonly text: string }) {
  const { blocks, footnotes } = useMemo(() => splitMarkdown(text), [text]);
  const numbers = useFootnotes(footnotes);
  return (
    <div className="markdown">
      <FootnoteContext value={numbers}>
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
          <MarkdownBlock key={index} text={block} />
        ))}
        {footnotes.length > 0 && <Footnotes footnotes={footnotes} />}
      </FootnoteContext>
    </div>
  );
}

function PlainText({ text }: { readonly text: string }) {
  return (
    <div className="markdown">
      <p className="note">This text is shown unformatted: it is too long or too deeply nested.</p>
      <div className="plain-text">{text}</div>
    </div>
  );
}
