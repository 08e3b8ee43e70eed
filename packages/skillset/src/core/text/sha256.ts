/** Returns `sha256:` and 64 hex digits. */
export async function sha256(content: string | Uint8Array): Promise<string> {
  if (hashAtOnce !== undefined && content.length <= AT_ONCE) return `sha256:${hashAtOnce(content)}`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** WebCrypto hashes in another thread, which takes longer than hashing a typical skill synchronously. */
const AT_ONCE = 256 * 1024;
let hashAtOnce: ((content: string | Uint8Array) => string) | undefined;

/** Sets a synchronous SHA-256 function that returns hex digits, for platforms that have one. */
export function hashAtOnceWith(hash: (content: string | Uint8Array) => string): void {
  hashAtOnce = hash;
}
