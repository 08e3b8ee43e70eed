import type { Io } from "../../terminal/io.ts";
import { createPaint, type Paint } from "../../terminal/paint.ts";
import { counted, printable, shownPath } from "../../terminal/printable.ts";
import { groupByRule, groupText, MOST_PLACES } from "../../terminal/problem-groups.ts";
import { countProblems, problemText } from "../../terminal/problem-text.ts";
import { inert } from "./inert.ts";
import type { Report } from "./report.ts";

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
