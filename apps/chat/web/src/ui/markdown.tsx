import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { isParsable } from "./markdown-limits.ts";

/**
 * Untrusted Markdown: HTML is shown as text, URLs are checked, and images are not loaded, because an image URL could leak
 * parts of the conversation. Text that cannot be parsed is shown unformatted.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  if (!isParsable(text)) return <PlainText text={text} />;
  return (
    <ErrorBoundary fallback={<PlainText text={text} />}>
      <div className="markdown">
        <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={safeAddress}>
          {text}
        </ReactMarkdown>
      </div>
    </ErrorBoundary>
  );
});

function PlainText({ text }: { readonly text: string }) {
  return (
    <div className="markdown">
      <p className="note">This text is shown unformatted: it is too long or too deeply nested.</p>
      <div className="plain-text">{text}</div>
    </div>
  );
}

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => (
    <OutsideLink href={typeof src === "string" ? src : undefined}>Image: {alt || "no description"}</OutsideLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll wide tables
    <section className="table-scroll" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
  th: ({ children }) => <th>{children}</th>,
  td: ({ children }) => <td>{children}</td>,
  // The page itself uses the first two heading levels.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
};

function OutsideLink({ href, children }: { readonly href: string | undefined; readonly children: React.ReactNode }) {
  if (!href) return <span className="dead-link">{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Allows web and mail links only. A relative path would point into this app. */
function safeAddress(address: string): string {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : "";
}
