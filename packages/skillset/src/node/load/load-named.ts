import { SkillError, SkillValidationError } from "../../core/base/errors.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import type { Skillset } from "../../core/skillset.ts";
import { isSource, type SkillSource } from "../../core/source/source.ts";
import { type CreateSkillsetOptions, createSkillset } from "./create-skillset.ts";
import type { SkillInput } from "./sources.ts";

/**
 * Loads explicitly named skills. Throws for a path or source without a valid skill, for duplicate names, and for a skill
 * whose requirements are not met.
 */
export async function loadNamed(
  sources: readonly SkillInput[],
  { policy, ...options }: Pick<CreateSkillsetOptions, "cwd" | "signal" | "policy" | "requirements"> = {},
): Promise<Skillset> {
  const named = sources.map((source) =>
    typeof source === "string" || source instanceof URL || isSource(source)
      ? loadPlace(source, { ...options, policy })
      : source,
  );
  const skillset = await createSkillset(await Promise.all(named), {
    ...options,
    collisions: "error",
    onProblem: ignoreProblem,
  });
  const unmet = skillset.problems.find(({ code }) => code === "requirement-unmet");
  if (unmet !== undefined) throw new SkillError("skill-not-found", `${unmet.message} ${unmet.fix}`);
  return skillset;
}

async function loadPlace(given: string | URL | SkillSource, options: CreateSkillsetOptions): Promise<Skillset> {
  // Checked for all places together, because they may require each other.
  const skillset = await createSkillset(given, { ...options, requirements: false, onProblem: ignoreProblem });
  const path = isSource(given) ? given.name : String(given);
  const errors = skillset.problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first !== undefined) {
    const place = first.path === undefined ? path : `${first.path}:${first.line ?? 1}`;
    throw new SkillValidationError(`The skill at ${place} is invalid: ${first.message}`, errors);
  }
  if (skillset.size === 0)
    throw new SkillError("source-not-found", `No skill at ${path}: neither it nor its folders contain a SKILL.md.`);
  return skillset;
}
