import {
  type Interpreter,
  PROGRAMS,
  PYTHON_ARGS,
  TYPESCRIPT_ARGS,
  TYPESCRIPT_QUESTION,
} from "../../process/find-interpreter.ts";
import type { Language } from "../../process/interpreter.ts";

/** A shell script that prints one line for each interpreter in an image. */
export const LIST_INTERPRETERS = [
  `for name in ${[...new Set(Object.values(PROGRAMS)), "node"].join(" ")}; do`,
  '  path=$(command -v "$name") && echo "$name $path"',
  "done",
  `if command -v node >/dev/null; then echo "typescript $(node -p "${TYPESCRIPT_QUESTION}")"; fi`,
  "true",
].join("\n");

/** Reads what the script printed. */
export function readInterpreters(text: string): ReadonlyMap<Language, Interpreter> {
  const found = new Map(text.split("\n").map((line) => line.split(" ") as [string, string | undefined]));
  const interpreters = new Map<Language, Interpreter>();
  for (const [language, name] of Object.entries(PROGRAMS) as [Language, string][]) {
    const program = found.get(name);
    if (program !== undefined) interpreters.set(language, { program, args: language === "python" ? PYTHON_ARGS : [] });
  }
  const node = found.get("node");
  const args = TYPESCRIPT_ARGS[found.get("typescript") ?? ""];
  if (node !== undefined) interpreters.set("javascript", { program: node, args: [] });
  if (node !== undefined && args !== undefined) interpreters.set("typescript", { program: node, args });
  return interpreters;
}
