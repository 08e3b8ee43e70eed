import { useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { EditMessage } from "./edit-message.tsx";
import type { MessageProps } from "./message-props.ts";
import { answerText } from "./message-text.ts";

export function UserMessage({ message, isBusy, onEdit }: MessageProps) {
  const [isEditing, setEditing] = useState(false);
  const text = answerText(message);
  if (isEditing) {
    const save = (next: string) => {
      setEditing(false);
      onEdit(message.id, next);
    };
    return (
      <li className="message user">
        <EditMessage text={text} onSave={save} onCancel={() => setEditing(false)} />
      </li>
    );
  }
  const [, command, rest] = /^(\/\S+)([\s\S]*)$/.exec(text) ?? [];
  return (
    <li className="message user">
      <h2 className="visually-hidden">You</h2>
      <p className="bubble">
        {command ? (
          <>
            <code className="command">{command}</code>
            {rest}
          </>
        ) : (
          text
        )}
      </p>
      <div className="message-actions">
        <CopyButton text={text} label="Copy message" />
        {!isBusy && <IconButton icon="edit" label="Edit message" onClick={() => setEditing(true)} />}
      </div>
    </li>
  );
}
