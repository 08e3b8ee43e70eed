import { setImmediate } from "node:timers/promises";
import type { Redactor } from "../core/script/redactor.ts";

/** Redacts a text like `redactor.text()`, in parts, so that other work runs meanwhile. Throws if the signal aborts. */
export async function redactInTurns(
  redactor: Redactor,
  text: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<string> {
  if (redactor.isEmpty) return text;
  const stream = redactor.stream();
  for (let at = 0; at < text.length; at += PART) {
    if (at > 0) await setImmediate();
    signal?.throwIfAborted();
    stream.add(text.slice(at, at + PART));
  }
  return stream.push("") + stream.end();
}

/** How many characters are searched at once. They take a few milliseconds. */
export const PART = 1 << 16;
