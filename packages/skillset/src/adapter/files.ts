import { escapeSkillTags } from "../core/text/escape.ts";
import { isDataType } from "../core/text/file-kind.ts";
import type { ResultFile } from "../core/tool/result-file.ts";

/** Whether the type is that of an image that every model with vision supports. */
export function isImageType(mediaType: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType);
}

/** Whether an API with images and documents takes the file: images, PDF and data such as CSV. */
export function isDocumentType(mediaType: string): boolean {
  return isImageType(mediaType) || mediaType === "application/pdf" || isDataType(mediaType);
}

/** Returns the name of a file without its folders. */
export function fileName({ path }: Pick<ResultFile, "path">): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the text of a text file, which cannot pass for a skill's instructions. */
export function fileText({ data }: Pick<ResultFile, "data">): string {
  return escapeSkillTags(new TextDecoder().decode(data));
}

export function toDataUrl(file: Pick<ResultFile, "mediaType" | "data">): string {
  return `data:${file.mediaType};base64,${toBase64(file.data)}`;
}

/** Encodes bytes in any runtime. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // In slices, because a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}

const SLICE = 8_192;

/**
 * Estimates the tokens of a file in a request: providers count images by their pixels, and PDFs by their pages. A large
 * PDF has large pictures rather than many pages. `content` is the size in bytes, or base64, or a data URL.
 */
export function estimateFileTokens(mediaType: string, content: number | string): number {
  const size = typeof content === "number" ? content : decodedSize(content);
  if (mediaType.startsWith("text/")) return Math.ceil(size / 4);
  if (mediaType.startsWith("image/")) return IMAGE_TOKENS;
  return Math.min(MOST_TOKENS, IMAGE_TOKENS * Math.ceil(size / PAGE_BYTES));
}

function decodedSize(encoded: string): number {
  const start = encoded.startsWith("data:") ? encoded.indexOf(",") + 1 : 0;
  return Math.ceil((encoded.length - start) * 0.75);
}

/** What a large image costs with most providers. */
const IMAGE_TOKENS = 1_600;
const PAGE_BYTES = 50_000;
const MOST_TOKENS = 20_000;
