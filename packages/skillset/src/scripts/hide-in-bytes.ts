import { SkillError } from "../core/base/errors.ts";
import { findInParts, redactInParts } from "../core/script/redact-in-parts.ts";
import type { Redactor } from "../core/script/redactor.ts";

/** Replaces secrets in the bytes of a text file. Throws if another kind of file contains one. */
export async function hideInBytes(
  path: string,
  bytes: Uint8Array,
  redactor: Redactor,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (redactor.isEmpty) return bytes;
  const text = decode(bytes);
  if (text !== undefined) {
    const hidden = await redactInParts(redactor, text, { signal });
    return hidden === text ? bytes : new TextEncoder().encode(hidden);
  }
  if (await findInParts(redactor, bytes, { signal }))
    throw new SkillError("resource-not-found", `'${redactor.text(path)}' cannot be read: it contains a secret.`);
  return bytes;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
