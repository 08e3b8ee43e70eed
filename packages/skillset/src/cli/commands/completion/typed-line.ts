import type { OptionSpec, OptionSpecs } from "../../command-line/command.ts";

/** An unfinished command line after the command's name. */
export interface Typed {
  /** The word at the cursor. */
  readonly current: string;
  readonly positionals: readonly string[];
  /** The options before the cursor. */
  readonly used: ReadonlySet<string>;
  /** The option whose value is at the cursor; `prefix` is the part of the word that is not the value. */
  readonly option?: { readonly spec: OptionSpec; readonly text: string; readonly prefix: string };
  readonly isAfterDashes: boolean;
}

export function takeApart(words: readonly string[], specs: OptionSpecs): Typed {
  const { joined, isSplit } = joinEquals(words);
  const current = joined.at(-1) ?? "";
  const positionals: string[] = [];
  const used = new Set<string>();
  let isAfterDashes = false;
  let waiting: OptionSpec | undefined;
  for (const word of joined.slice(0, -1)) {
    if (waiting !== undefined && !(waiting.whenBare !== undefined && word.startsWith("-"))) {
      waiting = undefined;
      continue;
    }
    waiting = undefined;
    if (isAfterDashes || !word.startsWith("-")) positionals.push(word);
    else if (word === "--") isAfterDashes = true;
    else {
      const [name = "", value] = word.slice(2).split("=", 2);
      used.add(name);
      const spec = specs[name];
      if (spec?.type === "string" && value === undefined) waiting = spec;
    }
  }
  const line = { current, positionals, used, isAfterDashes };
  const isOptional = waiting?.whenBare !== undefined && current.startsWith("-");
  if (waiting !== undefined && !isOptional) return { ...line, option: { spec: waiting, text: current, prefix: "" } };
  const [, name = "", text = ""] = (!isAfterDashes && /^--([\w-]+)=(.*)$/s.exec(current)) || [];
  const spec = specs[name];
  if (spec?.type !== "string") return line;
  return { ...line, option: { spec, text, prefix: isSplit ? "" : `--${name}=` } };
}

/** bash splits `--format=json` into three words, and replaces only the last one. */
function joinEquals(words: readonly string[]): { joined: readonly string[]; isSplit: boolean } {
  const joined: string[] = [];
  let isSplit = false;
  for (const [index, word] of words.entries()) {
    const isValue = words[index - 1] === "=" && words[index - 2]?.startsWith("--");
    isSplit = isValue === true || (word === "=" && joined.at(-1)?.startsWith("--") === true);
    if (isSplit) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
  }
  return { joined, isSplit };
}
