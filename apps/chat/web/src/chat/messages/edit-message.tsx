import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";

interface EditMessageProps {
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** Sending an edited message replaces everything after it. */
export function EditMessage({ text: before, onSave, onCancel }: EditMessageProps) {
  const [text, setText] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onSave(text);
      }}
    >
      <textarea
        ref={field}
        aria-label="Edit message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }}
      />
      <div className="dialog-actions">
        <span className="hint">Sending replaces everything after this message.</span>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="primary" type="submit">
          Send
        </Button>
      </div>
    </form>
  );
}
