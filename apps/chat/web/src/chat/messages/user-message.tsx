import { useMemo, useRef, useState } from "react";
import { useApp } from "../../api/app-state.tsx";
import { MessageAttachments } from "../../attachments/message-attachments.tsx";
import { attachmentsOf } from "../../attachments/message-parts.ts";
import { IconButton } from "../../ui/button.tsx";
import { TextBlock } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useFocusBack } from "../../ui/use-focus-back.ts";
import { BranchSwitch } from "./branch-switch.tsx";
import { EditMessage } from "./edit-message.tsx";
import type { MessageProps } from "./message-props.ts";
import { answerText } from "./message-text.ts";
import { splitFences } from "./split-fences.ts";

export function UserMessage(props: MessageProps) {
  const { message, onEdit, onFork } = props;
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
        {text !== "" && <Bubble text={text} />}
      </div>
      <div className="message-actions">
        <BranchSwitch {...props} />
        {text !== "" && <CopyButton text={text} label="Copy message" />}
        <IconButton
          ref={edit}
          className="when-idle"
          icon="edit"
          label="Edit message"
          onClick={() => setEditing(true)}
        />
        <IconButton
          className="when-idle"
          icon="fork"
          label="Continue in a new chat"
          onClick={() => onFork(message.id)}
        />
      </div>
    </>
  );
}

/** The text of a message as it was typed, with fenced code in blocks. */
function Bubble({ text }: { readonly text: string }) {
  const sections = useMemo(() => splitFences(text), [text]);
  return (
    <div className="bubble">
      {sections.map((section, at) =>
        section.kind === "code" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text of a message does not change
          <TextBlock key={at} text={section.text} label={section.language || "code"} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text of a message does not change
          <p key={at}>{at === 0 ? <Words text={section.text} /> : section.text}</p>
        ),
      )}
    </div>
  );
}

/** The words at the start of a message. Only the name of a skill looks like a command. */
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
