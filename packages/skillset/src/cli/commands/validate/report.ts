import type { Problem, Severity } from "../../../core/base/problem.ts";
import type { ValidateConfig } from "../../../node/config/validate-config.ts";
import type { Findings, FoundSkill } from "./check-skills.ts";

/** One skill with its problems after the rules apply. */
export interface CheckedSkill extends FoundSkill {
  readonly valid: boolean;
}

/** The content of every format. */
export interface Report {
  readonly skills: readonly CheckedSkill[];
  /** Problems that do not belong to one skill. */
  readonly placeProblems: readonly Problem[];
  /** All problems: first those of the skills, then the rest. */
  readonly problems: readonly Problem[];
}

/** Applies the levels of the rules, and removes problems whose rule is off. */
export function applyRules({ skills, problems }: Findings, rules: ValidateConfig["rules"]): Report {
  const apply = (found: readonly Problem[]): readonly Problem[] =>
    found.flatMap((problem) => {
      const level = rules.get(problem.code) ?? problem.severity;
      return level === "off" ? [] : [level === problem.severity ? problem : { ...problem, severity: level }];
    });
  const checked = skills.map((skill) => toChecked({ ...skill, problems: apply(skill.problems) }));
  const placeProblems = apply(problems);
  // A check without any skill must fail, whatever the rules say.
  const isEmpty = checked.length === 0 && !placeProblems.some(({ severity }) => severity === "error");
  return toReport(checked, isEmpty ? [...placeProblems, NOTHING_CHECKED] : placeProblems);
}

const NOTHING_CHECKED: Problem = {
  code: "source-empty",
  severity: "error",
  message: "No skill was found, so nothing was checked.",
  fix: "Pass a folder that has skills.",
};

/** The report with only its errors. */
export function onlyErrors({ skills, placeProblems }: Report): Report {
  const keep = (problems: readonly Problem[]) => problems.filter(({ severity }) => severity === "error");
  const kept = skills.map((skill) => ({ ...skill, problems: keep(skill.problems) }));
  return toReport(kept, keep(placeProblems));
}

export function countSeverity({ problems }: Report, wanted: Severity): number {
  return problems.filter(({ severity }) => severity === wanted).length;
}

function toChecked(skill: FoundSkill): CheckedSkill {
  return { ...skill, valid: !skill.problems.some(({ severity }) => severity === "error") };
}

function toReport(skills: readonly CheckedSkill[], placeProblems: readonly Problem[]): Report {
  return {
    skills,
    placeProblems,
    problems: [...skills.flatMap(({ problems }) => problems), ...placeProblems],
  };
}
