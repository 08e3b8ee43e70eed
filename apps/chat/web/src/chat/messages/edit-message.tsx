import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { isSendKey } from "../../ui/is-send-key.ts";

interface EditMessageProps {
  readonly text: string;
  /** A message with files may have no text. */
  readonly hasFiles: boolean;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** Sending an edited message starts a branch. */
export function EditMessage({ text: before, hasFiles, onSave, onCancel }: EditMessageProps) {
  const [text, setText] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "" || hasFiles) onSave(text);
      }}
    >
      <textarea
        ref={field}
        aria-label="Edit message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // During a composition, Escape closes the list of candidates.
          if (event.key === "Escape" && !event.nativeEvent.isComposing) {
            event.preventDefault();
            onCancel();
          }
          if (isSendKey(event)) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }}
      />
      <div className="dialog-actions">
        <span className="hint">Sending starts a new branch. This one is kept.</span>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="primary" type="submit">
          Send
        </Button>
      </div>
    </form>
  );
}
