import { SCRIPT_VARIABLES } from "../../core/manifest/reserved-variables.ts";
import type { ScriptJob } from "../../core/script/script.ts";
import { type Language, languageOf } from "./interpreter.ts";

/** The folders as a script sees them. */
export interface ScriptFolders {
  readonly skill: string;
  readonly output: string;
  readonly temporary: string;
}

/** Returns a script's language, or one sentence that says why it cannot run. */
export function scriptLanguage({ skillFolder, script }: Pick<ScriptJob, "skillFolder" | "script">): {
  language?: Language;
  reason?: string;
} {
  try {
    const language = languageOf(skillFolder, script);
    if (language !== undefined) return { language };
    const name = JSON.stringify(script.slice(0, 200));
    return {
      reason: `The language of ${name} is unknown: it needs a known extension, such as .py, or a first line with #!.`,
    };
  } catch {
    return { reason: "The script cannot be read." };
  }
}

/** All variables of a script. Its own cannot replace those that every script has. */
export function scriptEnvironment(
  path: string,
  { skill, output, temporary }: ScriptFolders,
  own: ScriptJob["env"] = {},
): Record<string, string> {
  const common: Readonly<Record<(typeof SCRIPT_VARIABLES)[number], string>> = {
    PATH: path,
    HOME: temporary,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    OUTPUT_DIR: output,
    SKILL_DIR: skill,
  };
  return { ...own, ...common };
}

/** What a script may find in its environment: its variables, and those that shells set themselves. */
export const KNOWN_VARIABLES: readonly string[] = [...SCRIPT_VARIABLES, "PWD", "OLDPWD", "SHLVL", "_"];

/** Replaces `$OUTPUT_DIR` and `$SKILL_DIR` in arguments, also in braces. */
export function fillArguments(args: readonly string[], { skill, output }: ScriptFolders): readonly string[] {
  return args.map((arg) =>
    arg.replace(/\$(?:(OUTPUT|SKILL)_DIR\b|\{(OUTPUT|SKILL)_DIR\})/g, (_, plain, braced) =>
      (plain ?? braced) === "OUTPUT" ? output : skill,
    ),
  );
}

/**
 * Puts limits of the system before a command: no core dumps, and a size for each file. `processes` limits those of the
 * user, so it is only useful in a user namespace. The text for the shell is fixed; the command is arguments.
 */
export function withLimits(
  command: readonly string[],
  { files, processes, open }: { readonly files: number; readonly processes?: number; readonly open?: number },
): [program: string, ...args: string[]] {
  // One byte more, so that a file that reached the limit exceeds it.
  const blocks = Math.ceil((files + 1) / 512);
  return ["/bin/sh", "-c", SHIM, "sh", String(blocks), String(processes ?? ""), String(open ?? ""), ...command];
}

/** Bash names the number of processes `-u`, other shells `-p`. A lower limit that is set already cannot be raised. */
const SHIM = [
  "{ ulimit -c 0",
  'ulimit -f "$1"',
  'test -z "$2" || ulimit -u "$2" || ulimit -p "$2"',
  'test -z "$3" || ulimit -n "$3"',
  "} 2>/dev/null",
  "shift 3",
  "unset PWD OLDPWD",
  'exec "$@"',
].join("; ");
