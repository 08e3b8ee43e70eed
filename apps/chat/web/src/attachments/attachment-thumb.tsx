import { useState } from "react";
import { type Attachment, kindOf } from "../../../shared/attachments-api.ts";
import { Icon } from "../ui/icon.tsx";

/** The address of a file. */
export function fileAddress({ id }: Pick<Attachment, "id">): string {
  return `/api/files/${encodeURIComponent(id)}`;
}

/** A small picture of an image, or a sign. Decorative: the name is next to it. */
export function AttachmentThumb({ file }: { readonly file: Attachment }) {
  const kind = kindOf(file.mediaType);
  const [isShown, setShown] = useState(kind === "image");
  return (
    <span className={`file-thumb ${kind}`}>
      {isShown ? (
        <img src={`${fileAddress(file)}?preview`} alt="" loading="lazy" onError={() => setShown(false)} />
      ) : (
        <Icon name="file" />
      )}
    </span>
  );
}
