import { expect, test } from "vitest";
import { fileKindOf } from "./file-kind.ts";

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

test.each([
  ["a.png", "\x89PNG\r\n\x1a\nrest", "image/png"],
  ["a.txt", "\xff\xd8\xff\xe0", "image/jpeg"],
  ["a", "GIF89a", "image/gif"],
  ["a.bin", "RIFF\x00\x00\x00\x00WEBP", "image/webp"],
  ["a.pdf", "%PDF-1.7\n", "application/pdf"],
  ["a.png", "\x89PNG\x00", "application/octet-stream"],
  ["a.zip", "PK\x03\x04\x00", "application/zip"],
  ["a.xlsx", "PK\x03\x04\x00", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["a.png", "PK\x03\x04\x00", "application/zip"],
])("%s with %j is the binary file %s", (path, content, mediaType) => {
  expect(fileKindOf(path, bytes(content))).toEqual({ mediaType });
});

test.each([
  ["a.md", "text/markdown"],
  ["a.csv", "text/csv"],
  ["a.svg", "image/svg+xml"],
  ["a.html", "text/html"],
  ["a.png", "text/plain"],
  ["a.pdf", "text/plain"],
  ["a", "text/plain"],
])("%s with text is the text %s", (path, mediaType) => {
  expect(fileKindOf(path, bytes("<p>x</p>"))).toEqual({ mediaType, text: "<p>x</p>" });
});
