import type { Output } from "./io.ts";

/** Ends the last line. On a terminal, also spells out characters that could control or deceive it. */
export function shownText(text: string, { isTTY }: Output): string {
  const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return isTTY ? ended.replace(UNPRINTABLE, spell) : ended;
}

/** Control and format characters, except line ends, tabs and the joiners of emoji and of Indic and Arabic scripts. */
const UNPRINTABLE = /\r(?!\n)|(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
