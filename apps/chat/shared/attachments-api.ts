//   POST   /api/files?name=NAME                Attachment      uploads a file: the body is its content
//   GET    /api/files/ID                       the file; with `?preview`, an image to show
//   GET    /api/files/ID/text                  AttachmentText  the start of a text
//   DELETE /api/files/ID                       204             removes an upload that no message has

/** A file that a person attached. Messages have it as a `data-attachment` part, without its content. */
export interface Attachment {
  readonly id: string;
  /** A file name without folders and control characters. */
  readonly name: string;
  /** By the content. The name only decides the kind of a text. */
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  /** Where scripts find it, below `$OUTPUT_DIR`. Set when its message is sent. */
  readonly path?: string;
}

export interface AttachmentText {
  readonly text: string;
  /** There is more in the file. */
  readonly isCut: boolean;
}

/** Undefined in `AppState` if the settings disable attachments. */
export interface AttachmentLimits {
  /** In one message. */
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** How an attachment is shown and sent to models. */
export type AttachmentKind = "image" | "pdf" | "text" | "other";

export function kindOf(mediaType: string): AttachmentKind {
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) return "image";
  if (mediaType === "application/pdf") return "pdf";
  return mediaType.startsWith("text/") || mediaType === "application/json" ? "text" : "other";
}
