import { splitShellWords } from "../text/shell-words.ts";

export interface PlaceholderOptions {
  /** What a user wrote after the skill's name. */
  readonly arguments?: string | undefined;
  /** The names of the words in it, from the frontmatter's `arguments`. */
  readonly names?: readonly string[] | undefined;
  /**
   * The skill's folder.
   * @default "."
   */
  readonly directory?: string | undefined;
}

export interface FilledInstructions {
  readonly text: string;
  /** Whether a placeholder was replaced by arguments. */
  readonly hasArguments: boolean;
}

/**
 * Replaces placeholders in the instructions with plain text: `$ARGUMENTS` with the arguments, `$ARGUMENTS[0]`, `$0` and
 * `$name` with one of their words, and `${SKILL_DIR}`. Never expands or executes anything. Without arguments, or without
 * that word, a placeholder stays.
 */
export function fillPlaceholders(
  body: string,
  { arguments: given, names = [], directory = "." }: PlaceholderOptions,
): FilledInstructions {
  let words: readonly string[] | undefined;
  const wordAt = (index: number): string | undefined => {
    words ??= splitShellWords(given ?? "").words;
    return words[index];
  };
  let hasArguments = false;
  const text = body.replace(placeholderPattern(names), (placeholder, ...captured: (string | undefined)[]) => {
    const [backslash, index, digits, name] = captured;
    if (backslash === undefined) return directory;
    if (given === undefined) return placeholder;
    if (backslash !== "") return placeholder.slice(backslash.length);
    const number = index ?? digits;
    const isWord = number !== undefined || name !== undefined;
    const value = isWord ? wordAt(number === undefined ? names.indexOf(name ?? "") : Number(number)) : given;
    hasArguments ||= value !== undefined;
    return value ?? placeholder;
  });
  return { text, hasArguments };
}

/** Matches the directory, or a placeholder with the backslash before it and the number or name of a word. */
function placeholderPattern(names: readonly string[]): RegExp {
  const end = String.raw`(?![\p{L}\p{N}_])`;
  const kinds = [
    String.raw`\$ARGUMENTS\[(\d{1,3})\]`,
    // A price such as `$10.50`, `$1,000` or `$5k` is not a placeholder.
    String.raw`\$(\d{1,3})${end}(?![.,]\d)`,
    // The longest name first: `$issue-title` is not `$issue`. Names have no characters that need an escape.
    String.raw`\$(${
      names
        .filter(Boolean)
        .sort((a, b) => b.length - a.length)
        .join("|") || "(?!)"
    })${end}`,
    String.raw`\$ARGUMENTS${end}`,
    String.raw`\$\{ARGUMENTS\}`,
  ];
  return new RegExp(String.raw`\$\{(?:CLAUDE_)?SKILL_DIR\}|(\\?)(?:${kinds.join("|")})`, "gu");
}
