/** The size of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a text is larger than the limit in UTF-8, without encoding it when its length tells. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && byteLength(text) > limit;
}
