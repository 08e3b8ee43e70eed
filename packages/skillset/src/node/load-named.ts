import { SkillError, SkillValidationError } from "../core/errors.ts";
import type { Skillset } from "../core/skillset.ts";
import { type CreateSkillsetOptions, createSkillset } from "./create-skillset.ts";
import type { SkillInput } from "./sources.ts";

/** Loads what somebody named one by one, and so meant: a path must be there and be a skill, and no name be there twice. */
export async function loadNamed(
  sources: readonly SkillInput[],
  { policy, ...options }: Pick<CreateSkillsetOptions, "cwd" | "signal" | "policy"> = {},
): Promise<Skillset> {
  const named = sources.map((source) =>
    typeof source === "string" || source instanceof URL
      ? loadPath(source, { ...options, ...(policy && { policy }) })
      : source,
  );
  return createSkillset(await Promise.all(named), { ...options, collisions: "error" });
}

async function loadPath(path: string | URL, options: CreateSkillsetOptions): Promise<Skillset> {
  const skillset = await createSkillset(path, options);
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
