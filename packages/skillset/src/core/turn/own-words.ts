/** Returns the user's words. The library inserts its texts before them, and some hosts store messages as they were sent. */
export function ownWords(text: string): string {
  return text.split(/<\/skill_(?:content|notice)>/).at(-1) ?? "";
}
