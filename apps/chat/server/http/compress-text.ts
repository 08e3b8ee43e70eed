import type { MiddlewareHandler } from "hono";
import { compress } from "hono/compress";

/**
 * Compresses JSON and the page. Event streams stay as they are, because compression would hold events back, and so do
 * short texts, which would hardly get shorter. The files of the page are compressed when it is built.
 */
export const compressText: MiddlewareHandler = compress({
  threshold: 2048,
  contentTypeFilter: (type) => /^(?:application\/json|text\/(?:html|markdown|plain))\b/.test(type),
});
