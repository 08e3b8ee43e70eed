import { sep } from "node:path";
import { RECURSIVE_OPTION } from "../../node/load/unread-skills.ts";
import type { Io } from "./io.ts";
import { printable } from "./printable.ts";

/** A message or a fix in the words of the command line: paths below the working directory, and its own options. */
export function shownAdvice(text: string, { cwd }: Pick<Io, "cwd">): string {
  const inside = cwd.endsWith(sep) ? cwd : cwd + sep;
  return printable(
    text
      .replaceAll(`'${cwd}'`, "'.'")
      .replaceAll(`'${inside}`, "'")
      .replaceAll(` ${inside}`, " ")
      .replace(RECURSIVE_OPTION, "'--recursive'"),
  );
}
