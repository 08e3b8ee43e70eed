import { expect, test } from "vitest";
import { decodeText, mediaTypeOf } from "./media-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["\x89PNG\r\n\x1a\n", "a.csv", "image/png"],
  ["\xff\xd8\xff\xe0", "a", "image/jpeg"],
  ["GIF89a", "a.html", "image/gif"],
  ["RIFF\x10\0\0\0WEBPVP8 ", "a", "image/webp"],
  ["%PDF-1.7", "a.txt", "application/pdf"],
  ["PK\x03\x04", "report.docx", "application/zip"],
  ["city,sales\nTurin,3\n", "sales.csv", "text/csv"],
  ["a\tb\n", "a.TSV", "text/tab-separated-values"],
  ["{}", "a.json", "application/json"],
  ["# Title", "README.md", "text/markdown"],
  ["<script>alert(1)</script>", "page.html", "text/plain"],
  ["<svg onload=alert(1)>", "a.svg", "text/plain"],
  ["<svg onload=alert(1)>", "a.png", "text/plain"],
  ["const a = 1;", "a.ts", "text/plain"],
  ["", "empty.csv", "text/csv"],
  ["MZ\0\x03", "a.txt", "application/octet-stream"],
  ["\0\0\0\0", "a.png", "application/octet-stream"],
])("%j in %s has the type %s", (content, name, type) => {
  expect(mediaTypeOf(bytes(content), name)).toBe(type);
});

test("texts are UTF-8, UTF-16 with a mark, or Windows-1252, and a cut character is left out", () => {
  expect(decodeText(Buffer.from("Größe"))).toBe("Größe");
  expect(decodeText(Buffer.from("\ufeffGröße", "utf16le"))).toBe("Größe");
  expect(decodeText(bytes("Gr\xf6\xdfe \x80"))).toBe("Größe €");
  expect(decodeText(Buffer.from("añ").subarray(0, 2))).toBe("a");
  expect(decodeText(bytes("\x1b[31mred\x1b[0m"))).toBe("\x1b[31mred\x1b[0m");
  expect(decodeText(bytes("\x01\x02"))).toBeUndefined();
});
