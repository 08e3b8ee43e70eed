import { useContext } from "react";
import { FootnoteContext, goTo } from "./footnote-reference.tsx";
import { MarkdownBlock } from "./markdown-block.tsx";
import type { Footnote } from "./markdown-blocks.ts";

/** The notes at the end, with links back to the text. */
export function Footnotes({ footnotes }: { readonly footnotes: readonly Footnote[] }) {
  const { prefix = "" } = useContext(FootnoteContext) ?? {};
  return (
    <ol className="footnotes">
      {footnotes.map(({ label, text }, index) => (
        <li key={label} id={`${prefix}note-${index + 1}`} tabIndex={-1}>
          <MarkdownBlock text={text} />
          <a
            href={`#${prefix}note-${index + 1}`}
            aria-label={`Back to footnote ${index + 1} in the text`}
            onClick={goTo(`[data-footnote="${CSS.escape(`${prefix}${index + 1}`)}"]`)}
          >
            ↩
          </a>
        </li>
      ))}
    </ol>
  );
}
