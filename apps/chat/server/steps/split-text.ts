import type { TextKind } from "../../shared/steps-api.ts";

/** A stretch of a text, and what it is. */
export interface TextPiece {
  readonly kind: TextKind;
  readonly text: string;
  readonly skill?: string | undefined;
}

/**
 * Splits a text of a request at what the library inserts: instructions, notices and the catalog. The pieces joined are
 * the text. The library escapes these marks in everything that it wraps, so no piece of a skill ends up outside.
 */
export function splitText(text: string, rest: TextKind): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(INSERTED)) {
    pieces.push(...wordsOf(text.slice(end, match.index), rest));
    end = match.index + match[0].length;
    pieces.push(pieceOf(match[0], match.groups?.skill));
  }
  if (pieces.length === 0) return [{ kind: rest, text }];
  return [...pieces, ...wordsOf(text.slice(end), rest)];
}

/** The white space around words comes from joining, so that the words alone are found in the user's message. */
function wordsOf(text: string, kind: TextKind): readonly TextPiece[] {
  const words = text.trim();
  const start = text.length - text.trimStart().length;
  return [text.slice(0, start), words, text.slice(start + words.length)].flatMap((piece) =>
    piece === "" ? [] : [{ kind, text: piece }],
  );
}

/** An element ends before the next one starts: a search from each of many that are not closed would take too long. */
const INSERTED =
  /<skill_content name="(?<skill>[^"]*)">(?:(?!<skill_content )[\s\S])*?<\/skill_content>|<skill_notice>(?:(?!<skill_notice>)[\s\S])*?<\/skill_notice>|^\{"available_skills":\[.*\}$/gm;

function pieceOf(text: string, skill: string | undefined): TextPiece {
  if (skill === undefined) return { kind: text.startsWith("<") ? "notice" : "catalog", text };
  // What replaces instructions that did not fit is the library's sentence.
  return STUB.test(text) ? { kind: "notice", text } : { kind: "instructions", text, skill };
}

const STUB =
  /^<skill_content name="[^"]*">\nThe instructions of this active skill were left out to save space\. Activate '[^'\n]*' again before using it\.\n<\/skill_content>$/;
