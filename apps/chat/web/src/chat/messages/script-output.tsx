import { useLayoutEffect, useRef } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";

interface ScriptOutputProps {
  readonly name: string;
  readonly text: string;
  /** The script still runs. The end of its output stays in view, unless the user scrolls up. */
  readonly isGrowing: boolean;
}

export function ScriptOutput({ name, text, isGrowing }: ScriptOutputProps) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text is the reason to scroll
  useLayoutEffect(() => {
    if (isGrowing && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text, isGrowing]);
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
  };
  return (
    <figure className="script-output">
      <figcaption>
        <span>{name}</span>
        <CopyButton text={text} label={`Copy ${name}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long output */}
      <pre ref={box} tabIndex={0} onScroll={onScroll}>
        {text}
      </pre>
    </figure>
  );
}
