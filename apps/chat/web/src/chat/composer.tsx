import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId } from "react";
import { AttachButton, ComposerFiles, pasteFiles } from "../attachments/composer-files.tsx";
import { FileDrop } from "../attachments/file-drop.tsx";
import type { Attachments } from "../attachments/use-attachments.ts";
import { IconButton } from "../ui/button.tsx";
import { isSendKey } from "../ui/is-send-key.ts";
import { SkillOptions } from "./skill-options.tsx";
import { useSkillOptions } from "./use-skill-options.ts";

interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Undefined if attachments are disabled. */
  readonly files: Attachments | undefined;
  /** The message is sent as soon as its files are uploaded. */
  readonly isWaiting: boolean;
  readonly isBusy?: boolean;
  readonly onStop?: () => void;
  /** The controls below the text, after the button for files: the model, the active skills. */
  readonly children?: ReactNode;
}

/** Enter sends, Shift+Enter adds a line break, and `/` at the start lists skills. On a phone, only the button sends. */
export function Composer(props: ComposerProps) {
  const { field, text, onText, onSend, files, isWaiting, isBusy = false, onStop, children } = props;
  const listId = useId();
  const options = useSkillOptions(text, onText);
  const hasContent = text.trim() !== "" || (files?.items.length ?? 0) > 0;
  const canSend = hasContent && files?.hasFailed !== true && !isWaiting && !isBusy;

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
    if (isSendKey(event)) {
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
      onPaste={(event) => files && pasteFiles(event, files)}
    >
      {options.isOpen && <SkillOptions id={listId} {...options} />}
      <p className="unknown-skill hint" role="status">
        {options.unknown !== undefined && (
          <>
            No skill is named <code>{options.unknown}</code>. The message is sent as text.
          </>
        )}
      </p>
      {files && (
        <>
          <FileDrop files={files} />
          <ComposerFiles files={files} isWaiting={isWaiting} onRemoved={() => field.current?.focus()} />
        </>
      )}
      <textarea
        ref={field}
        id="message"
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
      <div className="composer-tools">
        {files && <AttachButton files={files} />}
        {children}
        {isBusy && onStop ? (
          <IconButton className="send" icon="stop" label="Stop" onClick={stop} />
        ) : (
          <IconButton className="send" icon="send" label="Send" type="submit" disabled={!canSend} />
        )}
      </div>
    </form>
  );
}
