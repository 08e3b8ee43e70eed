import type { Problem, ProblemCode } from "../../core/base/problem.ts";
import { visibleText } from "../../core/text/escape.ts";

export type ProblemListener = (problem: Problem) => void;

/** Ignores a problem, for callers that show problems themselves. */
export function ignoreProblem(): void {}

/** Writes one line to stderr for each skill, sandbox or index that cannot be used, once per process. */
export function warnOfProblem(problem: Problem): void {
  const { severity, code, message, path, line, fix } = problem;
  if (severity !== "error" && !WARNED.has(code)) return;
  const place = path === undefined ? "" : `${path}${line === undefined ? "" : `:${line}`}: `;
  const text = visibleText(`skillset: ${place}${message}${fix === undefined ? "" : ` ${fix}`}`);
  if (WRITTEN.has(text)) return;
  if (WRITTEN.size < MAX_WRITTEN) WRITTEN.add(text);
  console.warn(text);
}

const WARNED: ReadonlySet<ProblemCode> = new Set([
  "skill-locked",
  "requirement-unmet",
  "profile-widens",
  "scripts-disabled",
  "sandbox-broken",
  "index-unusable",
]);
const WRITTEN = new Set<string>();
const MAX_WRITTEN = 10_000;
