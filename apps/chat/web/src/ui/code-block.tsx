import { isValidElement, type ReactNode, useRef, useState } from "react";
import { useHighlight } from "../highlight/use-highlight.ts";
import { IconButton } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

/** A code block with its language and a copy button. */
export function CodeBlock({ children }: { readonly children: ReactNode }) {
  const { text, language } = codeOf(children);
  return <TextBlock text={text} label={language || "code"} />;
}

interface TextBlockProps {
  readonly text: string;
  /** The language or the path, which decides on the colours. */
  readonly label: string;
  /** Whether long lines wrap at first. */
  readonly isWrapped?: boolean;
}

/** Preformatted text with a label above it. Long lines scroll or wrap. */
export function TextBlock({ text, label, isWrapped: startsWrapped = false }: TextBlockProps) {
  const [isWrapped, setWrapped] = useState(startsWrapped);
  const code = useRef<HTMLElement>(null);
  useHighlight(code, text, label);
  return (
    <figure className={isWrapped ? "code-block wrapped" : "code-block"}>
      <figcaption>
        <span>{label}</span>
        <IconButton icon="wrap" label="Wrap lines" aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)} />
        <CopyButton text={text} label={`Copy ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long lines */}
      <pre tabIndex={0}>
        <code ref={code}>{text}</code>
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
