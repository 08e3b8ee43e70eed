import type { Problem, Severity } from "../../core/base/problem.ts";
import type { Io } from "./io.ts";
import type { Paint } from "./paint.ts";
import { counted, shownPath } from "./printable.ts";
import { shownAdvice } from "./shown-advice.ts";

/** A problem in the format of compilers, which editors can open: `file:line:column: severity: message [code]`. */
export function problemText(problem: Problem, io: Io, paint: Paint): string {
  const { code, severity, message, fix } = problem;
  const place = placeOf(problem, io);
  const shown = `${paint(STYLES[severity], severity)}: ${shownAdvice(message, io)} ${paint("dim", `[${code}]`)}`;
  const advice = fix === undefined ? "" : `    fix: ${shownAdvice(fix, io)}\n`;
  return `${place && `${paint("bold", place)}: `}${shown}\n${advice}`;
}

/** `file:line:column`, as far as it is known. */
export function placeOf({ path, line, column }: Problem, io: Io): string {
  return [path && shownPath(path, io), line, line && column]
    .filter((part) => part !== undefined && part !== "")
    .join(":");
}

/** `2 errors, 1 warning`; empty if there are none. */
export function countProblems(problems: readonly Problem[]): string {
  const count = (wanted: Severity) => problems.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count("error"), count("warning")];
  return [errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")]
    .filter(Boolean)
    .join(", ");
}

const STYLES = { error: "red", warning: "yellow", info: "cyan" } as const;
