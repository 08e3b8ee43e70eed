import type { Problem, ProblemCode } from "../base/problem.ts";
import { visibleText } from "../text/escape.ts";

export type ProblemListener = (problem: Problem) => void;

/** Ignores a problem, for callers that show problems themselves. */
export function ignoreProblem(): void {}

/** Whether a listener uses a problem. The two in this file ignore most of them, and large sets have thousands. */
export function isHeard(listener: ProblemListener, { severity, code }: Problem): boolean {
  if (listener === warnOfProblem) return severity === "error" || WARNED.has(code);
  return listener !== ignoreProblem;
}

/** Passes problems to a listener. On stderr, the first ten of each kind are lines, and one line has the number of the others. */
export function reportProblems(problems: readonly Problem[], listener: ProblemListener): void {
  const counts = new Map<ProblemCode, number>();
  for (const problem of problems) {
    const count = (counts.get(problem.code) ?? 0) + 1;
    counts.set(problem.code, count);
    if (listener !== warnOfProblem || count <= MOST_LINES) listener(problem);
  }
  if (listener !== warnOfProblem) return;
  for (const [code, count] of counts) {
    const more = count - MOST_LINES;
    if (more > 0)
      warnOnce(`skillset: ${more} more problems of the kind '${code}'. Read 'problems', or set 'onProblem'.`);
  }
}

/** Writes one line to stderr for each skill, sandbox or index that cannot be used, once per process. */
export function warnOfProblem(problem: Problem): void {
  if (!isHeard(warnOfProblem, problem)) return;
  const { message, path, line, fix } = problem;
  const place = path === undefined ? "" : `${path}${line === undefined ? "" : `:${line}`}: `;
  warnOnce(visibleText(`skillset: ${place}${message}${fix === undefined ? "" : ` ${fix}`}`));
}

function warnOnce(text: string): void {
  if (WRITTEN.has(text)) return;
  if (WRITTEN.size < MAX_WRITTEN) WRITTEN.add(text);
  console.warn(text);
}

const WARNED: ReadonlySet<ProblemCode> = new Set([
  "skill-locked",
  "requirement-unmet",
  "profile-widens",
  "embedding-failed",
  "scripts-disabled",
  "sandbox-broken",
]);
const WRITTEN = new Set<string>();
const MAX_WRITTEN = 10_000;
const MOST_LINES = 10;
