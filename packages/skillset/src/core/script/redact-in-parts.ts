import type { Redactor } from "./redactor.ts";

/** How many characters are searched at once. They take a few milliseconds. */
export const PART = 1 << 16;

interface InPartsOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Redacts a text like `redactor.text()`, in parts, so that other work runs meanwhile. Throws if the signal aborts. */
export async function redactInParts(
  redactor: Redactor,
  text: string,
  { signal }: InPartsOptions = {},
): Promise<string> {
  if (redactor.isEmpty) return text;
  const stream = redactor.stream();
  for await (const at of partsOf(text.length, signal)) stream.add(text.slice(at, at + PART));
  return stream.push("") + stream.end();
}

/** Whether bytes that are not a text contain a whole secret. In parts, like `redactInParts`. */
export async function findInParts(
  redactor: Redactor,
  bytes: Uint8Array,
  { signal }: InPartsOptions = {},
): Promise<boolean> {
  if (redactor.isEmpty) return false;
  const stream = redactor.stream();
  for await (const at of partsOf(bytes.length, signal)) {
    stream.push(latin1(bytes.subarray(at, at + PART)));
    if (stream.hasFound) return true;
  }
  return false;
}

/** The start of each part. Waits between parts. */
async function* partsOf(length: number, signal: AbortSignal | undefined): AsyncGenerator<number> {
  for (let at = 0; at < length; at += PART) {
    if (at > 0) await new Promise((resume) => setTimeout(resume));
    signal?.throwIfAborted();
    yield at;
  }
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
