import { useEffect, useRef } from "react";
import { IconButton } from "../../ui/button.tsx";
import type { MessageProps } from "./message-props.ts";

/** Switches between the versions of a message. The messages after it are those of its branch. */
export function BranchSwitch({ message, siblings = [], onBranch }: MessageProps) {
  const index = siblings.indexOf(message.id);
  const group = useRef<HTMLDivElement>(null);
  const isShown = index !== -1;
  useEffect(() => {
    if (!isShown || turned?.to !== message.id) return;
    const { label } = turned;
    turned = undefined;
    // The button that was pressed is gone with its message. A focus that moved elsewhere meanwhile stays there.
    if (document.activeElement !== document.body) return;
    group.current?.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.focus();
  }, [isShown, message.id]);
  if (!isShown) return null;
  const nameOf = (at: number) => `Version ${at + 1} of ${siblings.length}`;
  const turn = (label: string, icon: "previous" | "chevron", step: 1 | -1) => {
    const to = siblings[index + step];
    const show = () => {
      if (to === undefined) return;
      turned = { to, label };
      onBranch(to, nameOf(index + step));
    };
    return <IconButton icon={icon} label={label} aria-disabled={to === undefined} onClick={show} />;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as part of a form
    <div ref={group} className="branch-switch when-idle" role="group" aria-label={nameOf(index)}>
      {turn("Previous version", "previous", -1)}
      <span aria-hidden="true">
        {index + 1} / {siblings.length}
      </span>
      {turn("Next version", "chevron", 1)}
    </div>
  );
}

/** The version that was asked for, and the button that did. */
let turned: { readonly to: string; readonly label: string } | undefined;
