/** Replaces the escapes of a URI; a text that is not a valid one stays as it is. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
