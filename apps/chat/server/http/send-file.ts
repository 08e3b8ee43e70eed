import type { Context } from "hono";
import { ApiFailure } from "./api-failure.ts";

/** Answers with a file: an image for `?preview`, otherwise a download. */
export function sendFile(c: Context, path: string, bytes: Uint8Array): Response {
  const isPreview = c.req.query("preview") !== undefined;
  const image = isPreview ? imageTypeOf(bytes) : undefined;
  if (isPreview && image === undefined) {
    throw new ApiFailure(415, "not-an-image", "Only PNG, JPEG, GIF and WebP images have a preview.");
  }
  return c.body(Buffer.from(bytes), 200, {
    "content-type": image ?? "application/octet-stream",
    "content-disposition": image === undefined ? attachment(path) : "inline",
    // A file is untrusted: nothing in it may run, even if somebody opens its address.
    "content-security-policy": "default-src 'none'; sandbox",
  });
}

/** The type of an image by its first bytes; a name says nothing. SVG is not an image here, because it can run scripts. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}

/** The name in ASCII for old clients, and in full, encoded so that it cannot end the header. */
function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toWellFormed();
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"; filename*=UTF-8''${encoded}`;
}
