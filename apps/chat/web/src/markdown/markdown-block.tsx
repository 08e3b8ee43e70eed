import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "../ui/code-block.tsx";
import { FootnoteReference } from "./footnote-reference.tsx";
import { MarkdownLink } from "./markdown-links.tsx";
import { Tex } from "./tex.tsx";
import { markTex, texIn } from "./tex-source.ts";

/** One block of Markdown, which is parsed again only if it changes. */
export const MarkdownBlock = memo(function MarkdownBlock({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={asWritten}>
      {markTex(text)}
    </ReactMarkdown>
  );
});

const PLUGINS = [remarkGfm];

/** `MarkdownLink` decides which addresses become links. */
function asWritten(address: string): string {
  return address;
}

const NOTE = "#user-content-fn-";

const COMPONENTS: Components = {
  a: ({ node, href, children }) =>
    node?.properties.dataFootnoteRef === undefined ? (
      <MarkdownLink href={href}>{children}</MarkdownLink>
    ) : (
      <FootnoteReference label={decodeURIComponent((href ?? "").slice(NOTE.length))} />
    ),
  img: ({ src, alt }) => (
    <MarkdownLink href={typeof src === "string" ? src : undefined}>Image: {alt || "no description"}</MarkdownLink>
  ),
  // The notes are at the end of the whole text.
  section: ({ node, children }) =>
    node?.properties.dataFootnotes === undefined ? <section>{children}</section> : null,
  input: ({ checked }) => <input type="checkbox" checked={checked} disabled aria-label={checked ? "Done" : "To do"} />,
  code: ({ className, children }) => {
    const tex = typeof children === "string" ? texIn(children) : undefined;
    return tex === undefined ? <code className={className}>{children}</code> : <Tex source={tex} />;
  },
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll wide tables
    <div className="table-scroll" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  th: ({ style, children }) => <th className={style?.textAlign}>{children}</th>,
  td: ({ style, children }) => <td className={style?.textAlign}>{children}</td>,
  // The page itself uses the first two heading levels.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
};
