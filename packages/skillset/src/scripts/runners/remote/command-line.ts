import type { ScriptLimits } from "../../../core/script/script.ts";
import type { Language } from "../../process/interpreter.ts";
import { quote } from "../../process/quote.ts";
import type { Machine } from "./remote-machine.ts";

interface LineParts {
  readonly machine: Machine;
  readonly skill: string;
  /** The file for stdin. */
  readonly input: string;
  readonly limits: ScriptLimits;
  readonly language: Language;
  /** Whether the memory of the script is measured while it runs. */
  readonly isWatched: boolean;
  /** The variables that the script keeps. */
  readonly names: readonly string[];
}

/** Returns the line for the shell of the other machine that runs a command in the skill's folder. */
export function commandLine(
  shownCommand: readonly string[],
  { machine, skill, input, limits, language, isWatched, names }: LineParts,
): string {
  // If this program ends during a run, nobody else stops the script.
  const seconds = Math.ceil(limits.time / 1000) + 10;
  const timeout =
    machine.hasTimeout && machine.pageSize !== undefined ? ["timeout", "-s", "KILL", String(seconds)] : [];
  // Node reserves far more addresses than it uses memory.
  const isPlain = language !== "javascript" && language !== "typescript";
  const memory = isWatched || !isPlain ? [] : [`ulimit -v ${Math.ceil(limits.memory / 1024)}`];
  // One byte more, so that a file that reached the limit exceeds it.
  const ulimits = ["ulimit -c 0", `ulimit -f ${Math.ceil((limits.files + 1) / 512)}`, ...memory];
  return [
    `cd ${quote(skill)} || exit 126`,
    `{ ${clearVariables(names)}; ${ulimits.join("; ")}; } 2>/dev/null`,
    `${quote(...timeout, ...shownCommand)} <${quote(input)}`,
    // Not the last command, so that the shell reports a signal as 128 and its number.
    "exit $?",
  ].join("; ");
}

/**
 * Unsets the machine's own variables. Values are set by the session and never part of a command line, where other users
 * of the machine could read them.
 */
function clearVariables(names: readonly string[]): string {
  const kept = [...names, "PWD", "OLDPWD", "SHLVL", "_"].join("|");
  return `unset $(env | sed -n 's/=.*//;/^[A-Za-z_][A-Za-z0-9_]*$/p' | grep -vxE ${quote(kept)})`;
}
