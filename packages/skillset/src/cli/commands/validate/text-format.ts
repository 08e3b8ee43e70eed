import type { Problem } from "../../../core/base/problem.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint, type Paint } from "../../terminal/paint.ts";
import { counted, printable, shownPath } from "../../terminal/printable.ts";
import { countProblems, placeOf, problemText } from "../../terminal/problem-text.ts";
import { inert } from "./inert.ts";
import { gravestFirst, type Report } from "./report.ts";

export interface TextOptions {
  /** Show every finding, instead of one example of each rule. */
  readonly verbose?: boolean | undefined;
  /** The skillset.json that was used. */
  readonly config?: string | undefined;
}

/** The report as text: one example of each rule, the number and places of the others, and a summary. */
export function* textFormat(report: Report, { verbose = false, config }: TextOptions, io: Io): Generator<string> {
  const paint = createPaint(io.stdout, io.env);
  const { problems } = report;
  const groups = groupByRule(problems);
  if (verbose) for (const problem of problems) yield inert(problemText(problem, io, paint));
  else for (const group of groups) yield inert(groupText(group, io, paint));
  if (problems.length > 0) yield "\n";
  yield summary(report, paint);
  if (report.searched.length > 0) yield inert(`Also searched: ${report.searched.join(", ")}\n`);
  if (config !== undefined) yield inert(`Rules: ${shownPath(config, io)}\n`);
  if (!verbose && groups.some(({ length }) => length > MOST_PLACES + 1))
    yield `'--verbose' shows all ${counted(problems.length, "finding")}.\n`;
}

/** `2 of 5 skills are invalid (a, b); 2 errors, 1 warning.` */
export function summary({ skills, problems }: Report, paint: Paint = (_style, text) => text): string {
  const invalid = skills.filter(({ valid }) => !valid);
  const counts = countProblems(problems);
  const ending = counts === "" ? "." : `; ${counts}.`;
  if (invalid.length === 0) return `${paint("green", `${counted(skills.length, "valid skill")}`)}${ending}\n`;
  const names = invalid.length <= 5 ? ` (${invalid.map(({ name }) => printable(name)).join(", ")})` : "";
  const are = invalid.length === 1 ? "is" : "are";
  return inert(
    `${paint("red", `${invalid.length} of ${counted(skills.length, "skill")} ${are} invalid`)}${names}${ending}\n`,
  );
}

/** Errors first, then the most frequent rules. Findings of one rule with different fixes are separate groups. */
function groupByRule(problems: readonly Problem[]): readonly (readonly Problem[])[] {
  const groups = Map.groupBy(problems, groupOf);
  const byCount = [...groups.values()].sort((a, b) => b.length - a.length);
  const order = gravestFirst(byCount.flatMap(([first]) => first ?? []));
  return order.map((problem) => groups.get(groupOf(problem)) ?? []);
}

/** The rule and its fix, without the names and values in it. */
function groupOf({ severity, code, fix = "" }: Problem): string {
  return `${severity} ${code} ${fix.replace(/'[^']*'|"[^"]*"|\d+/g, "…")}`;
}

function groupText([first, ...rest]: readonly Problem[], io: Io, paint: Paint): string {
  if (first === undefined) return "";
  const example = problemText(first, io, paint);
  if (rest.length === 0) return example;
  const places = rest.slice(0, MOST_PLACES).map((problem) => placeOf(problem, io));
  const more = rest.length > MOST_PLACES ? ", …" : "";
  return `${example}    ${counted(rest.length, "more", "more")}: ${places.join(", ")}${more}\n`;
}

/** The number of places that are listed after the example of a rule. */
const MOST_PLACES = 4;
