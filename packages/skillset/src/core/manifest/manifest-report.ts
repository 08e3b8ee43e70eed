import { LIMITS } from "../base/limits.ts";
import type { Problem, ProblemCode, Severity } from "../base/problem.ts";
import { type Policy, refuses } from "./policy.ts";

/** The location of a frontmatter, for the problems found in it. */
export interface ManifestContext {
  readonly policy: Policy;
  /** The name of the skill's folder, if it has one. */
  readonly folder?: string | undefined;
  readonly path?: string | undefined;
  /** The frontmatter's text. `firstLine` is the line of the file on which it starts. */
  readonly source?: string | undefined;
  readonly firstLine?: number | undefined;
}

export interface ReportOptions {
  /** An offset into the frontmatter. */
  readonly at?: number | undefined;
  /** A position in the original frontmatter, with lines starting at 0, if the current `source` does not contain it. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  readonly fix?: string | undefined;
  /** The severity if the policy accepts the problem. */
  readonly severity?: Severity | undefined;
  /** Rejects the skill under any policy. */
  readonly fatal?: boolean | undefined;
}

/** Collects the problems of one frontmatter, and whether any of them rejects the skill. */
export class ManifestReport {
  readonly context: ManifestContext;
  readonly problems: Problem[];
  refused = false;
  name: string | undefined;

  constructor(context: ManifestContext, problems: Problem[] = []) {
    this.context = context;
    this.problems = problems;
    this.name = context.folder;
  }

  /** Returns the message for a missing field. A skill in code has no frontmatter. */
  missing(field: string): string {
    return this.context.source === undefined ? `'${field}' is missing.` : `The frontmatter has no '${field}'.`;
  }

  add(
    code: ProblemCode,
    message: string,
    { at = 0, place, fix, severity = "warning", fatal = false }: ReportOptions = {},
  ): void {
    const { policy, path, source, firstLine = 1 } = this.context;
    const refused = fatal || refuses(policy, code);
    this.refused ||= refused;
    // Nobody reads thousands of problems for one file.
    if (this.problems.length >= LIMITS.hard.problemsInSkill && !refused) return;
    const problem: { -readonly [Field in keyof Problem]: Problem[Field] } = {
      code,
      severity: refused ? "error" : severity,
      message,
    };
    if (this.name !== undefined) problem.skill = this.name;
    if (path !== undefined) problem.path = path;
    if (place !== undefined) {
      problem.line = firstLine + place.line;
      problem.column = place.column + 1;
    } else if (source !== undefined) {
      const { line, column } = placeAt(source, at, firstLine);
      problem.line = line;
      problem.column = column;
    }
    if (fix !== undefined) problem.fix = fix;
    this.problems.push(problem);
  }
}

/** Text from a skill is untrusted and may be long, so messages show only the start. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Returns the position of an offset: lines start at `firstLine`, columns at 1. */
export function placeAt(source: string, at: number, firstLine: number): { line: number; column: number } {
  let line = firstLine;
  let lineStart = 0;
  for (let next = source.indexOf("\n"); next !== -1 && next < at; next = source.indexOf("\n", next + 1)) {
    line++;
    lineStart = next + 1;
  }
  return { line, column: at - lineStart + 1 };
}
