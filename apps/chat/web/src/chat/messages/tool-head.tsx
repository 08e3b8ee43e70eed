import type { ReactNode } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";

interface ToolHeadProps {
  readonly icon: IconName;
  readonly title: string;
  readonly subject: string;
  readonly isOpen: boolean;
  /** The id of the body that it shows and hides. */
  readonly bodyId: string;
  onToggle(): void;
  /** Badges at the end. */
  readonly children: ReactNode;
}

/** The first line of a tool's card, which expands and collapses it. */
export function ToolHead({ icon, title, subject, isOpen, bodyId, onToggle, children }: ToolHeadProps) {
  return (
    <button
      type="button"
      className="tool-head"
      aria-expanded={isOpen}
      aria-controls={isOpen ? bodyId : undefined}
      onClick={onToggle}
    >
      <Icon name={icon} />
      <span className="tool-title">{title}</span>
      <span className="tool-subject">{subject}</span>
      {children}
    </button>
  );
}
