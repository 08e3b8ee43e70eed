import { isValidElement, type ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

/** A code block with its language and a copy button. */
export function CodeBlock({ children }: { readonly children: ReactNode }) {
  const { text, language } = codeOf(children);
  return <TextBlock text={text} label={language || "code"} />;
}

interface TextBlockProps {
  readonly text: string;
  readonly label: string;
  /** Wraps long lines instead of scrolling. */
  readonly isWrapped?: boolean;
}

/** Preformatted text with a label above it. */
export function TextBlock({ text, label, isWrapped = false }: TextBlockProps) {
  return (
    <figure className={isWrapped ? "code-block wrapped" : "code-block"}>
      <figcaption>
        <span>{label}</span>
        <CopyButton text={text} label={`Copy ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long lines */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

function codeOf(children: ReactNode): { text: string; language: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) {
    return { text: String(children ?? ""), language: "" };
  }
  const { className = "", children: code } = children.props;
  return { text: String(code ?? "").replace(/\n$/, ""), language: /language-([\w+#-]+)/.exec(className)?.[1] ?? "" };
}
