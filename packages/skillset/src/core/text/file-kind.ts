import { mediaTypeOf } from "./media-type.ts";

/** What a file is, by its content. `text` is undefined for a binary file. */
export interface FileKind {
  readonly mediaType: string;
  readonly text?: string;
}

/** Returns the kind of a file by its content. The name only distinguishes kinds that have the same content. */
export function fileKindOf(path: string, bytes: Uint8Array): FileKind {
  const known = binaryTypeOf(path, bytes);
  if (known !== undefined) return { mediaType: known };
  const text = textIn(bytes);
  if (text === undefined) return { mediaType: UNKNOWN };
  const named = mediaTypeOf(path);
  return { mediaType: BINARY.test(named) ? "text/plain" : named, text };
}

/** Returns the type of an image that every browser and every model with vision supports. SVG is text. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}

/** Whether a text file is data to work with, rather than text to read. */
export function isDataType(mediaType: string): boolean {
  return mediaType === "text/csv" || mediaType === "text/tab-separated-values";
}

const UNKNOWN = "application/octet-stream";

/** Types that a text never has, whatever its name. */
const BINARY = /^(?:application\/(?:octet-stream|pdf|zip|vnd\.)|image\/(?!svg))/;

function binaryTypeOf(path: string, bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 5));
  if (start === "%PDF-") return "application/pdf";
  if (!start.startsWith("PK\x03\x04")) return imageTypeOf(bytes);
  const named = mediaTypeOf(path);
  return named.startsWith("application/vnd.") ? named : "application/zip";
}

/** Returns strict UTF-8 without NUL. Anything else would reach a model as broken text. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return bytes.includes(0) ? undefined : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
