/** One of the commands in a command line. */
export interface SimpleCommand {
  /** As written, with one space between words. */
  readonly text: string;
  /** Without quotes, as the shell sees the words. */
  readonly unquoted: string;
}

/**
 * Splits a command line into its commands. Returns undefined if the line contains anything that might run another
 * command or write a file: substitutions, redirections, subshells, assignments, unbalanced quotes. A line that a shell
 * would split differently must never be split here, so everything unusual counts as uncertain.
 */
export function splitCommand(line: string): readonly SimpleCommand[] | undefined {
  if (line.length > LONGEST || NEVER.test(line)) return undefined;
  const commands: SimpleCommand[] = [];
  let text = "";
  let unquoted = "";
  const add = (raw: string, plain = raw): void => {
    text += raw;
    unquoted += plain;
  };
  /** Whether a command must follow, as after `&&`. */
  let isOpen = false;
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at, at + LOOK_AHEAD);
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    const separator = SEPARATOR.exec(rest)?.[0];
    if (separator !== undefined) {
      const isEmpty = trim(text) === "";
      if (isEmpty && (separator !== "\n" || isOpen)) return undefined;
      if (!isEmpty) {
        commands.push({ text: trim(text), unquoted: trim(unquoted) });
        isOpen = separator.length > 1 || separator === "|";
      }
      text = "";
      unquoted = "";
      at += separator.length;
      continue;
    }
    if (character === " " || character === "\t") {
      if (!text.endsWith(" ")) add(" ");
      at++;
      continue;
    }
    if (character === "'" || character === '"') {
      const end = character === "'" ? line.indexOf("'", at + 1) : endOfDoubleQuotes(line, at + 1);
      if (end === -1) return undefined;
      add(line.slice(at, end + 1), line.slice(at + 1, end));
      at = end + 1;
      continue;
    }
    const duplicate = DUPLICATE.exec(rest)?.[0];
    if (duplicate !== undefined) {
      add(duplicate);
      at += duplicate.length;
      continue;
    }
    const isWordStart = text === "" || text.endsWith(" ");
    if (UNCERTAIN.test(character) || (character === "#" && isWordStart)) return undefined;
    if (character === "$" && !VARIABLE.test(rest)) return undefined;
    add(character);
    at += character.length;
  }
  if (trim(text) !== "") commands.push({ text: trim(text), unquoted: trim(unquoted) });
  else if (isOpen) return undefined;
  return commands.length === 0 || commands.some(({ text: one }) => NOT_SIMPLE.test(one)) ? undefined : commands;
}

/** Other white space is a part of a word. */
const trim = (text: string): string => text.replace(/^ +|(?<! ) +$/g, "");

/** Longer lines are not worth the time. */
const LONGEST = 10_000;

/** Control characters, except tabs and line feeds. */
const NEVER = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** Longer than any operator and any variable name that has to be recognised. */
const LOOK_AHEAD = 8;

const SEPARATOR = /^(?:&&|\|\||\|&|[;|\n]|&(?!>))/;

/** `2>&1`, which writes to no file. Other white space than a shell's own would belong to the name of a file. */
const DUPLICATE = /^[12]?>&[12](?=[ \t\n;&|]|$)/;

const UNCERTAIN = /[\\`<>(){}&\p{Cf}\p{Zl}\p{Zp}]/u;

const VARIABLE = /^\$(?:\w|\?)/;

/** A command that starts with an assignment, or with a word of the shell's grammar. */
const NOT_SIMPLE =
  /^(?:[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=|(?:!|\[\[|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while|eval|exec)(?: |$))/;

/** Returns the index of the closing quote, or -1 if there is none or the text contains a substitution. */
function endOfDoubleQuotes(line: string, start: number): number {
  for (let at = start; at < line.length; at++) {
    const character = line[at];
    if (character === '"') return at;
    if (character === "`" || (character === "$" && /[({[]/.test(line[at + 1] ?? ""))) return -1;
    if (character === "\\" && line[++at] === "\n") return -1;
  }
  return -1;
}
