import { type ClipboardEvent, useRef } from "react";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { sizeText } from "../ui/size-text.ts";
import { AttachmentThumb } from "./attachment-thumb.tsx";
import { type Attachments, type FileItem, megabytes } from "./use-attachments.ts";

/** Opens the file picker. */
export function AttachButton({ files }: { readonly files: Attachments }) {
  const input = useRef<HTMLInputElement>(null);
  const { maxFiles, maxBytes } = files.limits;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          files.add(currentTarget.files ?? []);
          // The same file can be chosen again after it was removed.
          currentTarget.value = "";
        }}
      />
      <IconButton
        className="attach"
        icon="attach"
        label="Attach files"
        title={`Attach files: up to ${maxFiles}, ${megabytes(maxBytes)} each`}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface ComposerFilesProps {
  readonly files: Attachments;
  readonly isWaiting: boolean;
  readonly onRemoved: () => void;
}

/** The files of the message that is being written, with their progress. */
export function ComposerFiles({ files, isWaiting, onRemoved }: ComposerFilesProps) {
  const { items, status } = files;
  const shown = noteOn(files, isWaiting);
  const remove = (key: string) => {
    files.remove(key);
    onRemoved();
  };
  return (
    <>
      {items.length > 0 && (
        <ul className="composer-files" aria-label="Attached files">
          {items.map((item) => (
            <Chip key={item.key} item={item} onRemove={remove} onRetry={files.retry} />
          ))}
        </ul>
      )}
      <p className="files-note hint" role="status">
        {shown}
      </p>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </>
  );
}

/** What the user should know before sending. */
function noteOn({ problem, hasFailed, isUploading }: Attachments, isWaiting: boolean): string {
  if (isWaiting) return "The message is sent when its files are uploaded.";
  if (problem !== "") return problem;
  return hasFailed && !isUploading ? "Retry or remove the files that failed, then send." : "";
}

interface ChipProps {
  readonly item: FileItem;
  readonly onRemove: (key: string) => void;
  readonly onRetry: (key: string) => void;
}

function Chip({ item: { key, name, size, state }, onRemove, onRetry }: ChipProps) {
  return (
    <li className={`file-chip ${state.kind}`}>
      {state.kind === "done" ? (
        <AttachmentThumb file={state.file} />
      ) : (
        <span className="file-thumb">
          <Icon name={state.kind === "failed" ? "alert" : "file"} />
        </span>
      )}
      <span className="file-words">
        <span className="file-name" title={name}>
          {name}
        </span>
        <span className="file-note">{state.kind === "failed" ? state.reason : sizeText(size)}</span>
      </span>
      {state.kind === "uploading" && <progress aria-label={`Uploading ${name}`} value={state.share} max={1} />}
      {state.kind === "failed" && state.canRetry && (
        <IconButton icon="refresh" label={`Retry ${name}`} onClick={() => onRetry(key)} />
      )}
      <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(key)} />
    </li>
  );
}

/** Takes files from the clipboard. Copied cells or text come with a picture of them, which is not wanted. */
export function pasteFiles(event: ClipboardEvent, files: Attachments): void {
  const { clipboardData } = event;
  const pasted = [...clipboardData.files];
  const text = clipboardData.getData("text/plain").trim();
  const isOnlyName = pasted.some(({ name }) => text === name);
  if (pasted.length === 0 || (text !== "" && !isOnlyName)) return;
  event.preventDefault();
  files.add(pasted);
}
