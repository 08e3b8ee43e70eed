import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** The language of a script. */
export type Language = "shell" | "bash" | "python" | "javascript" | "typescript" | "ruby" | "perl";

/** Determines a script's language by its extension, or else by its first line. Undefined if neither says it. */
export function languageOf(folder: string, script: string): Language | undefined {
  const extension = /\.([a-z]+)$/i.exec(script)?.[1]?.toLowerCase() ?? "";
  const language = BY_EXTENSION.get(extension);
  if (language !== undefined && language !== "shell") return language;
  // Most files named .sh are written for bash, and say so in their first line.
  return byFirstLine(readStart(join(folder, script))) ?? language;
}

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map([
  ["sh", "shell"],
  ["bash", "bash"],
  ["py", "python"],
  ["js", "javascript"],
  ["mjs", "javascript"],
  ["cjs", "javascript"],
  ["ts", "typescript"],
  ["mts", "typescript"],
  ["rb", "ruby"],
  ["pl", "perl"],
]);

/** `#!/usr/bin/env -S python3 -u` is Python. */
function byFirstLine(start: string): Language | undefined {
  const line = /^#!\s*(\S.*)/.exec(start)?.[1];
  if (line === undefined) return undefined;
  const words = line.split(/\s+/).map((word) => word.replace(/^.*\//, ""));
  const program = words[0] === "env" ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0];
  return PROGRAMS.find(([pattern]) => pattern.test(program ?? ""))?.[1];
}

const PROGRAMS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:sh|dash|ash)$/, "shell"],
  [/^bash$/, "bash"],
  [/^python[\d.]*$/, "python"],
  [/^(?:node|nodejs|bun)$/, "javascript"],
  [/^(?:deno|tsx|ts-node)$/, "typescript"],
  [/^ruby[\d.]*$/, "ruby"],
  [/^perl[\d.]*$/, "perl"],
];

function readStart(path: string): string {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(256);
    return bytes.toString("latin1", 0, readSync(fd, bytes, 0, 256, 0));
  } finally {
    closeSync(fd);
  }
}

/** The arguments with which Deno runs TypeScript: what contains the script is the sandbox around it. */
export const DENO_RUN: readonly string[] = ["run", "--allow-all", "--quiet"];
