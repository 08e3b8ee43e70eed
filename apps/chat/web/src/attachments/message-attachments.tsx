import { useState } from "react";
import { type Attachment, kindOf } from "../../../shared/attachments-api.ts";
import { sizeText } from "../ui/size-text.ts";
import { AttachmentDialog } from "./attachment-dialog.tsx";
import { AttachmentThumb, fileAddress } from "./attachment-thumb.tsx";

/** The files of a message: first pictures, then the others with name and size. Each opens in a dialog. */
export function MessageAttachments({ files }: { readonly files: readonly Attachment[] }) {
  const [opened, setOpened] = useState<Attachment | undefined>();
  if (files.length === 0) return null;
  return (
    <>
      <Files label="Attached images" files={files.filter(isImage)} onOpen={setOpened} />
      <Files label="Attached files" files={files.filter((file) => !isImage(file))} onOpen={setOpened} />
      {opened && <AttachmentDialog file={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function isImage({ mediaType }: Attachment): boolean {
  return kindOf(mediaType) === "image";
}

interface FilesProps {
  readonly label: string;
  readonly files: readonly Attachment[];
  readonly onOpen: (file: Attachment) => void;
}

function Files({ label, files, onOpen }: FilesProps) {
  if (files.length === 0) return null;
  return (
    <ul className="message-files" aria-label={label}>
      {files.map((file) => (
        <li key={file.id}>
          <File file={file} onOpen={() => onOpen(file)} />
        </li>
      ))}
    </ul>
  );
}

function File({ file, onOpen }: { readonly file: Attachment; readonly onOpen: () => void }) {
  const { name, size } = file;
  const [isShown, setShown] = useState(isImage(file));
  if (isShown) {
    return (
      <button type="button" className="message-image" aria-label={`Open ${name}`} title={name} onClick={onOpen}>
        <img src={`${fileAddress(file)}?preview`} alt={name} loading="lazy" onError={() => setShown(false)} />
      </button>
    );
  }
  return (
    <button type="button" className="file-chip" onClick={onOpen}>
      <span className="visually-hidden">Open </span>
      <AttachmentThumb file={file} />
      <span className="file-words">
        <span className="file-name" title={name}>
          {name}
        </span>
        <span className="file-note">{sizeText(size)}</span>
      </span>
    </button>
  );
}
