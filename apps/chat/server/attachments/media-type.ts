import { extname } from "node:path";

/** The type of a file by its first bytes. The name only decides the kind of a text. HTML and SVG are plain text here. */
export function mediaTypeOf(head: Uint8Array, name: string): string {
  const start = Buffer.from(head.subarray(0, 16)).toString("latin1");
  const known = SIGNATURES.find(([pattern]) => pattern.test(start))?.[1];
  if (known !== undefined) return known;
  if (decodeText(head) === undefined) return "application/octet-stream";
  return TEXT_TYPES[extname(name).toLowerCase()] ?? "text/plain";
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[\s\S]{4}WEBP/, "image/webp"],
  [/^%PDF-/, "application/pdf"],
  [/^PK\x03\x04/, "application/zip"],
  [/^\x1f\x8b/, "application/gzip"],
];

const TEXT_TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".tsv": "text/tab-separated-values",
  ".json": "application/json",
  ".md": "text/markdown",
  ".markdown": "text/markdown",
};

/**
 * Decodes the start of a text: UTF-8, UTF-16 with a byte order mark, or Windows-1252, which spreadsheets still write.
 * Returns undefined for other content. A character that is cut off at the end is left out.
 */
export function decodeText(head: Uint8Array): string | undefined {
  const encoding =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? BE : "utf-8";
  for (const one of encoding === "utf-8" ? (["utf-8", "windows-1252"] as const) : [encoding]) {
    try {
      const text = new TextDecoder(one, { fatal: true }).decode(head, { stream: true });
      if (!NOT_TEXT.test(text)) return text;
    } catch {
      // Not in this encoding.
    }
  }
  return undefined;
}

const BE = "utf-16be";

/** Control characters, except those of terminals and for layout, which logs contain. */
const NOT_TEXT = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f-\x9f]/;
