import { type KeyboardEvent, type RefObject, useEffect, useId } from "react";
import { IconButton } from "../ui/button.tsx";
import { SkillOptions } from "./skill-options.tsx";
import { useSkillOptions } from "./use-skill-options.ts";

interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly isBusy?: boolean;
  readonly onStop?: () => void;
}

/** Enter sends, Shift+Enter adds a line break, and `/` at the start lists skills. */
export function Composer({ field, text, onText, onSend, isBusy = false, onStop }: ComposerProps) {
  const listId = useId();
  const options = useSkillOptions(text, onText);
  const canSend = text.trim() !== "" && !isBusy;

  // A suggestion fills the field from outside; the user then continues typing here.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches || text !== "") field.current?.focus();
  }, [text, field]);

  const stop = () => {
    onStop?.();
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (options.onKey(event.key)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (canSend) onSend();
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      {options.isOpen && <SkillOptions id={listId} {...options} />}
      <p className="unknown-skill hint" role="status">
        {options.unknown !== undefined && (
          <>
            No skill is named <code>{options.unknown}</code>. The message is sent as text.
          </>
        )}
      </p>
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={options.isOpen ? listId : undefined}
        aria-activedescendant={options.isOpen ? `${listId}-${options.index}` : undefined}
        placeholder={options.hasSkills ? "Write a message, or type / for skills" : "Write a message"}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={options.close}
      />
      {isBusy && onStop ? (
        <IconButton className="send" icon="stop" label="Stop" onClick={stop} />
      ) : (
        <IconButton className="send" icon="send" label="Send" type="submit" disabled={!canSend} />
      )}
    </form>
  );
}
