/**
 * Quotes words for a POSIX shell, so that each arrives as one argument and nothing in it is expanded. Throws if a word has
 * a NUL character: no program can receive one.
 */
export function quote(...words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  if (word.includes("\0")) throw new TypeError("An argument contains a NUL character.");
  // In single quotes, no character but the single quote itself has a meaning.
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
