import { SkillError, SkillValidationError } from "../core/errors.ts";
import type { Skillset } from "../core/skillset.ts";
import { createSkillset } from "../node/create-skillset.ts";
import type { ThinkPlan } from "./think-plan.ts";

/** The skills of a run, in the order in which they were attached; throws for one that is missing or invalid. */
export async function loadSkills(
  { skills, cwd }: Pick<ThinkPlan, "skills" | "cwd">,
  signal: AbortSignal,
): Promise<Skillset> {
  const options = { signal, ...(cwd !== undefined && { cwd }) };
  const sources = await Promise.all(
    skills.map((source) => (typeof source === "string" || source instanceof URL ? loadPath(source, options) : source)),
  );
  return createSkillset(sources, { ...options, collisions: "error" });
}

/** What somebody names is meant: it must be there, and be a skill. */
async function loadPath(path: string | URL, options: { signal: AbortSignal; cwd?: string }): Promise<Skillset> {
  const skillset = await createSkillset(path, { ...options, policy: "standard" });
  const errors = skillset.problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first !== undefined) {
    const place = first.path === undefined ? String(path) : `${first.path}:${first.line ?? 1}`;
    throw new SkillValidationError(`The skill at ${place} is invalid: ${first.message}`, errors);
  }
  if (skillset.size === 0)
    throw new SkillError("source-not-found", `There is no skill at ${path}: it has no SKILL.md, nor have its folders.`);
  return skillset;
}
