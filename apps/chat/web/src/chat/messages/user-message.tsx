import { useRef, useState } from "react";
import { useApp } from "../../api/app-state.tsx";
import { MessageAttachments } from "../../attachments/message-attachments.tsx";
import { attachmentsOf } from "../../attachments/message-parts.ts";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useFocusBack } from "../../ui/use-focus-back.ts";
import { BranchSwitch } from "./branch-switch.tsx";
import { EditMessage } from "./edit-message.tsx";
import type { MessageProps } from "./message-props.ts";
import { answerText } from "./message-text.ts";

export function UserMessage(props: MessageProps) {
  const { message, onEdit } = props;
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  useFocusBack(isEditing, edit);
  const text = answerText(message);
  const files = attachmentsOf(message);
  if (isEditing) {
    const save = (next: string) => {
      setEditing(false);
      onEdit(message.id, next);
    };
    return (
      <div className="attached is-edited">
        <MessageAttachments files={files} />
        <EditMessage text={text} hasFiles={files.length > 0} onSave={save} onCancel={() => setEditing(false)} />
      </div>
    );
  }
  return (
    <>
      <h2 className="visually-hidden">You</h2>
      <div className="attached">
        <MessageAttachments files={files} />
        {text !== "" && (
          <p className="bubble">
            <Words text={text} />
          </p>
        )}
      </div>
      <div className="message-actions">
        <BranchSwitch {...props} />
        <CopyButton text={text} label="Copy message" />
        <IconButton
          ref={edit}
          className="when-idle"
          icon="edit"
          label="Edit message"
          onClick={() => setEditing(true)}
        />
      </div>
    </>
  );
}

/** The text of a message. Only the name of a skill looks like a command. */
function Words({ text }: { readonly text: string }) {
  const { commands } = useApp();
  const [, name, rest] = /^\/(\S+)([\s\S]*)$/.exec(text) ?? [];
  if (!commands.some((command) => command.name === name)) return text;
  return (
    <>
      <code className="command">/{name}</code>
      {rest}
    </>
  );
}
