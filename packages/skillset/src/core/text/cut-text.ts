import { SkillError } from "../base/errors.ts";
import { textIn } from "./file-kind.ts";

/** A text that may have been cut, with a notice if so. */
export interface CutText {
  readonly text: string;
  readonly truncated: boolean;
  /** The size of the whole text in bytes. */
  readonly bytes: number;
}

/** Decodes strict UTF-8. Throws for binary content. */
export function decodeText(bytes: Uint8Array, path: string): string {
  const text = textIn(bytes);
  if (text === undefined) throw notText(path);
  return text;
}

export function notText(path: string): SkillError {
  return new SkillError("resource-not-text", `'${path}' is a binary file: binary not supported.`);
}

/** Cuts a text to at most `limit` bytes, between two characters, and adds a notice with the number of bytes removed. */
export function cutText(text: string, limit: number, what: string): CutText {
  const encoded = new TextEncoder().encode(text);
  const bytes = encoded.length;
  if (bytes <= limit) return { text, truncated: false, bytes };
  let end = limit;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--;
  const kept = new TextDecoder().decode(encoded.subarray(0, end));
  const notice = `[${what} is cut here: ${bytes - end} of ${bytes} bytes were removed.]`;
  return { text: `${kept}\n\n${notice}`, truncated: true, bytes };
}
