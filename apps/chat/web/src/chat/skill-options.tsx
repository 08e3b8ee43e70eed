import { useEffect, useRef } from "react";
import type { SkillCommand } from "../../../shared/skills-api.ts";

interface SkillOptionsProps {
  readonly id: string;
  readonly options: readonly SkillCommand[];
  readonly index: number;
  /** Whether Enter sends the message, because the name is typed in full. */
  readonly isComplete: boolean;
  readonly select: (name: string) => void;
}

/** The autocomplete list of the message field, which keeps the focus. */
export function SkillOptions({ id, options, index, isComplete, select }: SkillOptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise here, which an effect must not return.
    list.current?.children[index]?.scrollIntoView({ block: "nearest" });
  }, [index]);
  return (
    <div className="skill-options">
      <div role="listbox" id={id} aria-label="Skills" ref={list} tabIndex={-1}>
        {options.map(({ name, description, argumentHint }, at) => (
          <div
            key={name}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            // Runs before the field loses focus, which would close the list.
            onPointerDown={(event) => {
              event.preventDefault();
              select(name);
            }}
          >
            <span className="option-name">
              /{name} {argumentHint && <span className="option-hint">{argumentHint}</span>}
            </span>
            <span className="option-description">{description}</span>
          </div>
        ))}
      </div>
      <p className="option-keys" aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> move <kbd>Enter</kbd> {isComplete ? "send" : "choose"} <kbd>Esc</kbd> close
      </p>
      <span role="status" className="visually-hidden">
        {options.length === 1 ? "1 skill" : `${options.length} skills`}
      </span>
    </div>
  );
}
