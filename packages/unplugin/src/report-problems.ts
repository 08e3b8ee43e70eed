import type { Problem } from "skillset";
import type { UnpluginMessage } from "unplugin";
import type { CheckedOptions } from "./options.ts";

/**
 * Reports problems as build warnings with their place. Throws if one of them fails the build. An error leaves out a
 * skill whatever the rules say, so it is never silent.
 */
export function reportProblems(
  problems: readonly Problem[],
  { rules, errors }: CheckedOptions,
  warn: (message: UnpluginMessage) => void,
): void {
  const failing: Problem[] = [];
  for (const problem of problems) {
    const level = rules[problem.code] ?? problem.severity;
    if (level === "error" && errors === "fail") failing.push(problem);
    else if (level === "error" || level === "warning" || problem.severity === "error") warn(toMessage(problem));
  }
  const [first] = failing;
  if (first === undefined) return;
  throw Object.assign(new Error(failing.map(describe).join("\n")), placeOf(first), { plugin: "skillset" });
}

function toMessage(problem: Problem): UnpluginMessage {
  return { message: describeWarning(problem), pluginCode: problem.code, ...placeOf(problem) };
}

function placeOf({ path, line, column = 1 }: Problem): Pick<UnpluginMessage, "id" | "loc"> {
  if (path === undefined) return {};
  return line === undefined ? { id: path } : { id: path, loc: { file: path, line, column: column - 1 } };
}

/** Returns one line with the place, the problem, its fix and the name of the rule. */
function describe({ code, message, fix, path, line, column }: Problem): string {
  const place = [path, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
  return `${place === "" ? "" : `${place}: `}${message}${fix === undefined ? "" : ` ${fix}`} (${code})`;
}

/** The same for a warning. With an error, the build has no skill to use. */
function describeWarning(problem: Problem): string {
  const isSkill = problem.skill !== undefined || problem.path?.endsWith("SKILL.md");
  return describe(problem) + (problem.severity === "error" && isSkill ? " The skill is left out." : "");
}
