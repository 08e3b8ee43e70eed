import { type Problem, SEVERITIES } from "../../core/base/problem.ts";
import type { Io } from "./io.ts";
import type { Paint } from "./paint.ts";
import { counted } from "./printable.ts";
import { placeOf, problemText } from "./problem-text.ts";

/** Errors first, then the most frequent rules. Findings of one rule with different fixes are separate groups. */
export function groupByRule(problems: readonly Problem[]): readonly (readonly Problem[])[] {
  const groups = Map.groupBy(problems, groupOf);
  const byCount = [...groups.values()].sort((a, b) => b.length - a.length);
  const order = gravestFirst(byCount.flatMap(([first]) => first ?? []));
  return order.map((problem) => groups.get(groupOf(problem)) ?? []);
}

/** The rule and its fix, without the names and values in it. */
export function groupOf({ severity, code, fix = "" }: Problem): string {
  return `${severity} ${code} ${fix.replace(/'[^']*'|"[^"]*"|\d+/g, "…")}`;
}

export function groupText([first, ...rest]: readonly Problem[], io: Io, paint: Paint): string {
  if (first === undefined) return "";
  const example = problemText(first, io, paint);
  if (rest.length === 0) return example;
  const places = rest.slice(0, MOST_PLACES).map((problem) => placeOf(problem, io));
  const more = rest.length > MOST_PLACES ? ", …" : "";
  return `${example}    ${counted(rest.length, "more", "more")}: ${places.join(", ")}${more}\n`;
}

/** The number of places that are listed after the example of a rule. */
export const MOST_PLACES = 4;

/** The problems with errors first, for formats that readers can truncate. */
export function gravestFirst(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
