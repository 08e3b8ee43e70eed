import { LIMITS } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import type { ScriptHost } from "../../core/host/script-host.ts";
import type { SuppliedEnv } from "../../core/load/load-options.ts";
import { mayBeUnmet, namesOf, namesSkill } from "../../core/load/may-be-unmet.ts";
import {
  type Requirement,
  readRequirements,
  systemName,
  type UnmetRequirement,
} from "../../core/manifest/requirements.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { SkillCandidate } from "../../core/source/select.ts";
import { parseVersion } from "../../core/text/version.ts";
import { isOnPathSync } from "./find-on-path.ts";
import { Machine, TOO_MANY } from "./machine.ts";
import type { PreparedPackages } from "./prepared-packages.ts";
import type { InstalledPackage } from "./python.ts";

export interface CheckRequirementsOptions {
  readonly env?: SuppliedEnv | undefined;
  readonly cwd: string;
  /** What runs scripts of skills without another host, and knows the packages that were installed for them. */
  readonly scripts?: ScriptHost | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds to each candidate what it requires and this machine or its host lacks. Looks commands and packages up, and never
 * runs or installs what a skill names. What cannot be looked up in time is not met.
 */
export async function checkRequirements(
  candidates: readonly SkillCandidate[],
  { cwd, env, scripts, signal }: CheckRequirementsOptions,
): Promise<readonly SkillCandidate[]> {
  const deadline = AbortSignal.timeout(LIMITS.requirements.time);
  const prepared = once(async () => {
    // Loaded on demand: most packages that skills require are installed on the machine.
    const { PreparedPackages } = await import("./prepared-packages.ts");
    return new PreparedPackages(deadline);
  });
  const check = { machine: new Machine(cwd), isSupplied: suppliedBy(env), prepared, deadline };
  const checked = [...candidates];
  let names: ReadonlySet<string> | undefined;
  // Few skills have requirements, so the others cost no promise.
  const pending = candidates.flatMap((candidate, index) => {
    if (!mayBeUnmet(candidate)) return [];
    names ??= namesOf(candidates);
    const { skill, host } = candidate;
    const used: UsedSkill = {
      skill,
      scripts: host === "none" ? undefined : host === undefined ? scripts : host.scripts,
    };
    return [
      Promise.all(requirementsOf(candidate, names).map((one) => whyUnmet(one, used, check))).then((found) => {
        checked[index] = { ...candidate, unmet: found.filter((one) => one !== undefined) };
      }),
    ];
  });
  await untilAborted(signal, Promise.all(pending));
  return checked;
}

/**
 * The same without waiting, for constructors: Python and packages are not looked up, and are left to `checkRequirements`.
 */
export function checkRequirementsSync(
  candidates: readonly SkillCandidate[],
  { env }: Pick<CheckRequirementsOptions, "env"> = {},
): readonly SkillCandidate[] {
  const known = new Map<string, boolean>();
  const isCommand = (name: string): boolean | string => {
    const found = known.get(name) ?? (known.size < LIMITS.hard.requirementLookups ? isOnPathSync(name) : TOO_MANY);
    if (typeof found === "boolean") known.set(name, found);
    return found;
  };
  const check = { isSupplied: suppliedBy(env), isCommand };
  let names: ReadonlySet<string> | undefined;
  return candidates.map((candidate) => {
    if (!mayBeUnmet(candidate)) return candidate;
    names ??= namesOf(candidates);
    const unmet = requirementsOf(candidate, names).flatMap((requirement): UnmetRequirement[] => {
      const lack = judge(requirement, check);
      return lack === undefined ? [] : [{ kind: requirement.kind, name: requirement.name, ...lack }];
    });
    return { ...candidate, unmet };
  });
}

/** Whether `checkRequirementsSync` leaves something to `checkRequirements`. */
export function needsTime(candidate: SkillCandidate): boolean {
  if (!mayBeUnmet(candidate)) return false;
  return readRequirements(candidate.skill.metadata).some(({ kind }) => kind === "python" || kind === "package");
}

function requirementsOf(
  { skill }: Extract<SkillCandidate, { kind: "skill" }>,
  names: ReadonlySet<string>,
): readonly Requirement[] {
  return readRequirements(skill.metadata).filter((one) => !namesSkill(one, names));
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** A skill, and what runs its scripts. */
interface UsedSkill {
  readonly skill: Skill;
  readonly scripts: ScriptHost | undefined;
}

interface Check {
  readonly machine: Machine;
  readonly isSupplied: (name: string) => boolean;
  readonly prepared: () => Promise<PreparedPackages>;
  readonly deadline: AbortSignal;
}

function suppliedBy(env: SuppliedEnv | undefined): (name: string) => boolean {
  if (typeof env === "function") return env;
  if (env !== undefined) return (name) => env.includes(name);
  return (name) => (process.env[name] ?? "") !== "";
}

type Lack = Pick<UnmetRequirement, "reason" | "fix">;

async function whyUnmet(
  requirement: Requirement,
  skill: UsedSkill,
  check: Check,
): Promise<UnmetRequirement | undefined> {
  const { kind, name } = requirement;
  const lack = find(requirement, skill, check);
  const late: Lack = {
    reason: `'${name}' could not be looked up within ${LIMITS.requirements.time / 1000} seconds`,
    fix: "Check that the folders on PATH can be read, then load the skills again.",
  };
  const found = await (lack instanceof Promise
    ? untilAborted(check.deadline, lack).catch((error: unknown) => {
        if (check.deadline.aborted) return late;
        throw error;
      })
    : lack);
  return found && { kind, name, ...found };
}

function find(requirement: Requirement, skill: UsedSkill, check: Check): Lack | undefined | Promise<Lack | undefined> {
  const { machine, isSupplied } = check;
  if (requirement.kind === "python") return findPython(requirement, check);
  if (requirement.kind === "package") return findPackage(requirement, skill, check);
  if (requirement.kind !== "command") return judge(requirement, { isSupplied, isCommand: () => true });
  return machine.command(requirement.name).then((found) => judge(requirement, { isSupplied, isCommand: () => found }));
}

interface Known {
  readonly isSupplied: Check["isSupplied"];
  /** Whether a command is on PATH, or why it cannot be looked up. */
  readonly isCommand: (name: string) => boolean | string;
}

/** Judges what takes no time to look up. */
function judge(requirement: Requirement, { isSupplied, isCommand }: Known): Lack | undefined {
  const { kind, name } = requirement;
  switch (kind) {
    case "command":
      return commandMissing(name, isCommand(name));
    case "os":
      return findSystem(requirement);
    case "node":
      return findNode(requirement);
    case "env":
      return isSupplied(name) ? undefined : variableMissing(name);
    case "python":
    case "package":
      return undefined;
    case "skill":
      // Checked when the skills are selected, because it depends on the others.
      return undefined;
    default:
      return requirement satisfies never;
  }
}

function commandMissing(name: string, found: boolean | string): Lack | undefined {
  if (found === true) return undefined;
  const fix = `Install '${name}', and check that it is on PATH. If it is a skill, write it under 'requires-skills'.`;
  return { reason: found === false ? `the command '${name}' is not on PATH` : unsearched(`'${name}'`, found), fix };
}

function findSystem({ name, platforms }: Extract<Requirement, { kind: "os" }>): Lack | undefined {
  if (platforms.includes(process.platform)) return undefined;
  const reason = `it requires ${name}, and this is ${systemName(process.platform)}`;
  return { reason, fix: `Use the skill on ${name}.` };
}

function findNode({ name, accepts }: Extract<Requirement, { kind: "node" | "python" }>): Lack | undefined {
  const own = process.versions.node;
  const version = parseVersion(own);
  if (version !== undefined && accepts(version)) return undefined;
  return { reason: `it requires Node ${name}, and this is ${own}`, fix: `Start the program with Node ${name}.` };
}

async function findPython(
  { name, accepts }: Extract<Requirement, { kind: "node" | "python" }>,
  { machine }: Check,
): Promise<Lack | undefined> {
  const fix = `Install Python ${name} as 'python3'.`;
  const python = await machine.python();
  if (typeof python === "string") return { reason: `it requires Python ${name}, and ${python}`, fix };
  if (accepts(python.version)) return undefined;
  return { reason: `it requires Python ${name}, and python3 is ${python.version.parts.join(".")}`, fix };
}

async function findPackage(
  requirement: Extract<Requirement, { kind: "package" }>,
  { skill, scripts }: UsedSkill,
  check: Check,
): Promise<Lack | undefined> {
  const { name, manager, range } = requirement;
  const { machine } = check;
  const found = await (manager === "pip" ? machine.pythonPackage(name) : machine.nodePackage(name, skill.basePath));
  if (typeof found !== "string" && isAccepted(requirement, found)) return undefined;
  const prepared = await (await check.prepared()).find(requirement, skill, scripts);
  if (isAccepted(requirement, prepared.installed)) return undefined;
  const what = `the ${manager === "pip" ? "Python" : "npm"} package '${name}'`;
  const wanted = `${name}${range}`;
  const command =
    manager === "pip" ? `python3 -m pip install "${wanted}"` : `npm install "${name}${range && `@${range}`}"`;
  const fix = prepared.isDeclared
    ? "Install the packages that the skill declares: add --prepare to 'skillset run'."
    : `Install it, for example with: ${command}`;
  if (typeof found === "string") return { reason: unsearched(what, found), fix };
  const version = found ?? prepared.installed;
  if (version === undefined) return { reason: `${what} is not installed`, fix };
  return { reason: `it requires ${wanted}, and ${version.version || "an unknown version"} is installed`, fix };
}

function isAccepted(
  { accepts }: Extract<Requirement, { kind: "package" }>,
  found: InstalledPackage | undefined,
): boolean {
  if (found === undefined || accepts === undefined) return found !== undefined;
  const version = parseVersion(found.version);
  return version !== undefined && accepts(version);
}

function variableMissing(name: string): Lack {
  const fix = `Set the environment variable '${name}', or name it in the option 'env' of the program.`;
  return { reason: `the variable '${name}' is not set`, fix };
}

function unsearched(what: string, why: string): string {
  return `${what} cannot be looked up: ${why}`;
}
