import type { ReactNode } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";

interface ToolHeadProps {
  readonly icon: IconName;
  /** What was done, and with what: "Read" and a path. */
  readonly verb: string;
  readonly object: string;
  /** Quiet words after it: the skill, a size, how it ended. */
  readonly details: readonly (string | undefined)[];
  readonly isOpen: boolean;
  /** The id of the sentence, which is the name of the card. */
  readonly sentenceId: string;
  /** The id of the body that it shows and hides. */
  readonly bodyId: string;
  onToggle(): void;
  /** Badges at the end. */
  readonly children: ReactNode;
}

/** The first line of a tool's card: a sentence, which expands and collapses it. */
export function ToolHead(props: ToolHeadProps) {
  const { icon, verb, object, details, isOpen, sentenceId, bodyId, onToggle, children } = props;
  return (
    <button
      type="button"
      className="tool-head"
      aria-expanded={isOpen}
      aria-controls={isOpen ? bodyId : undefined}
      onClick={onToggle}
    >
      <Icon name={icon} />
      <span id={sentenceId} className="tool-sentence">
        {verb} <strong>{object}</strong>
        {details.filter(Boolean).map((detail) => (
          <span key={detail} className="tool-detail">
            {" · "}
            <span>{detail}</span>
          </span>
        ))}
      </span>
      {children}
      <Icon name="expand" />
    </button>
  );
}
