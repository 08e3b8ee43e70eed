import { SkillError } from "../base/errors.ts";
import type { Redactor } from "./redactor.ts";

/**
 * Replaces secrets in the bytes of a text file. Throws if another kind of file contains one. In parts, because other work
 * waits meanwhile.
 */
export async function hideInBytes(
  path: string,
  bytes: Uint8Array,
  redactor: Redactor,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (redactor.isEmpty) return bytes;
  const text = decode(bytes);
  const length = text?.length ?? bytes.length;
  const stream = redactor.stream();
  let hidden = "";
  for (let start = 0; start < length; start += PART) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    hidden += stream.push(text?.slice(start, start + PART) ?? latin1(bytes.subarray(start, start + PART)));
    if (text === undefined && stream.hasFound)
      throw new SkillError("resource-not-found", `'${redactor.text(path)}' cannot be read: it contains a secret.`);
  }
  hidden += stream.end();
  return text === undefined || hidden === text ? bytes : new TextEncoder().encode(hidden);
}

const PART = 1 << 16;

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
