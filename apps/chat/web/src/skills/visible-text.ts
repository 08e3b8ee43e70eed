/** A line of a file with its invisible characters as escapes, so that a change is shown as it is. */
export function visibleText(line: string, showsTabs: boolean): string {
  const text = line.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  // A tab is often what a repair replaces.
  return showsTabs ? text.replaceAll("\t", "→") : text;
}

/** Control characters but tabs, marks that change the direction of text, zero-width characters and Unicode tags. */
const INVISIBLE =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
