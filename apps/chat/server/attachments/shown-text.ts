import { decodeText } from "./media-type.ts";

/** What requests contain of a text file. */
export interface ShownText {
  readonly text: string;
  /** The number of characters of the file. */
  readonly characters: number;
  /** There is more in `head`. */
  readonly isCut: boolean;
}

/** The start of a text file as requests contain it, with at most `most` characters of the file. */
export function shownText(head: Uint8Array, most: number): ShownText {
  const all = decodeText(head) ?? "";
  const shown = all.slice(0, most).toWellFormed();
  return { text: escapeTags(shown), characters: shown.length, isCut: shown.length < all.length };
}

/** A file must not end its own block or imitate the texts of skills. */
function escapeTags(text: string): string {
  return text.replace(/<(\/?(?:skill_|attachment))/gi, "&lt;$1");
}
