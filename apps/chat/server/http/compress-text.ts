import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";

/**
 * Compresses long JSON and HTML. Event streams stay as they are, because compression would hold events back. The files
 * of the page are compressed when it is built.
 */
export const compressText: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  const isText = /^(?:application\/json|text\/html)\b/.test(headers.get("content-type") ?? "");
  if (c.req.method !== "GET" || !isText || headers.has("content-encoding")) return;
  headers.append("vary", "Accept-Encoding");
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(c.req.header("accept-encoding") ?? "")) return;
  const body = Buffer.from(await c.res.arrayBuffer());
  const isLong = body.length >= SHORTEST;
  if (isLong) headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  const { status } = c.res;
  // Without this, Hono would merge the headers of the old response into those of the new one.
  c.res = undefined;
  c.res = new Response(isLong ? await compress(body) : body, { status, headers });
};

/** Shorter texts fit into one or two packets as they are. */
const SHORTEST = 2048;
const compress = promisify(gzip);
