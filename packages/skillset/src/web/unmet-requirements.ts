import type { SuppliedEnv } from "../core/load/load-options.ts";
import { mayBeUnmet, namesOf, namesSkill } from "../core/load/may-be-unmet.ts";
import { type Requirement, readRequirements, type UnmetRequirement } from "../core/manifest/requirements.ts";
import type { SkillCandidate } from "../core/source/select.ts";

/** Adds to each candidate what it requires and a program without Node lacks: everything but skills and variables. */
export function findUnmetOnWeb(
  candidates: readonly SkillCandidate[],
  env: SuppliedEnv | undefined,
): readonly SkillCandidate[] {
  let names: ReadonlySet<string> | undefined;
  return candidates.map((candidate) => {
    if (!mayBeUnmet(candidate)) return candidate;
    names ??= namesOf(candidates);
    const known = names;
    const requirements = readRequirements(candidate.skill.metadata).filter((one) => !namesSkill(one, known));
    return { ...candidate, unmet: requirements.flatMap((one) => whyUnmet(one, env)) };
  });
}

function whyUnmet({ kind, name }: Requirement, env: SuppliedEnv | undefined): UnmetRequirement[] {
  // Skills are checked when they are selected, because they depend on each other.
  if (kind === "skill" || (kind === "env" && isSupplied(name, env))) return [];
  if (kind === "env") {
    const fix = `Set the environment variable '${name}', or name it in the option 'env' of the program.`;
    return [{ kind, name, reason: `the variable '${name}' is not set`, fix }];
  }
  const reason = `it requires ${WHAT[kind]} '${name}', and this program runs without Node`;
  return [{ kind, name, reason, fix: "Use the skill on Node." }];
}

const WHAT: Readonly<Record<Exclude<Requirement["kind"], "skill" | "env">, string>> = {
  command: "the command",
  os: "the system",
  node: "Node",
  python: "Python",
  package: "the package",
};

function isSupplied(name: string, env: SuppliedEnv | undefined): boolean {
  if (typeof env === "function") return env(name);
  if (env !== undefined) return env.includes(name);
  // Workers and edge functions have it in part.
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return (process?.env?.[name] ?? "") !== "";
}
