import { readRequirements, type UnmetRequirement } from "../manifest/requirements.ts";
import type { SkillEntry } from "./select.ts";

type EnabledEntry = Extract<SkillEntry, { status: "enabled" }>;

/**
 * Finds the enabled skills that require a skill which is not enabled, or which requires them in turn. `others` are the
 * names of skills that are enabled too, whatever they require.
 */
export function findUnmetSkills(
  entries: readonly SkillEntry[],
  others: ReadonlySet<string> = NONE,
): ReadonlyMap<SkillEntry, readonly UnmetRequirement[]> {
  const unmet = new Map<SkillEntry, UnmetRequirement[]>();
  const requiring = entries.filter(
    (entry): entry is EnabledEntry => entry.status === "enabled" && entry.skill.metadata[KEY] !== undefined,
  );
  if (requiring.length === 0) return unmet;
  const byName = new Map<string, SkillEntry>();
  for (const entry of entries) {
    if (entry.status === "enabled" || !byName.has(entry.name)) byName.set(entry.name, entry);
  }
  const required = new Map(
    requiring.map((entry) => [entry.name, requiredBy(entry).filter((name) => !others.has(name))]),
  );
  const hide = (entry: SkillEntry, why: UnmetRequirement): void => {
    const known = unmet.get(entry);
    if (known === undefined) unmet.set(entry, [why]);
    else known.push(why);
  };
  for (const cycle of findCycles(required)) {
    for (const [index, name] of cycle.entries()) {
      const entry = byName.get(name);
      if (entry !== undefined) hide(entry, inCycle([...cycle.slice(index), ...cycle.slice(0, index), name]));
    }
  }
  for (const entry of requiring) {
    for (const name of required.get(entry.name) ?? []) {
      const other = byName.get(name);
      if (other?.status !== "enabled") hide(entry, absent(name, other?.status));
    }
  }
  // A skill that became unavailable makes those that require it unavailable, and so on.
  const dependents = invert(required);
  for (const { name } of unmet.keys()) {
    // The loop also visits what it adds.
    for (const dependent of dependents.get(name) ?? []) {
      const entry = byName.get(dependent);
      if (entry !== undefined && !unmet.has(entry)) hide(entry, absent(name, "unavailable"));
    }
  }
  return unmet;
}

const KEY = "requires-skills";
const NONE: ReadonlySet<string> = new Set();

function requiredBy({ skill }: EnabledEntry): readonly string[] {
  const names = readRequirements({ [KEY]: skill.metadata[KEY] ?? "" }).map(({ name }) => name);
  return [...new Set(names)];
}

function invert(required: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const [name, others] of required) {
    for (const other of others) {
      const known = dependents.get(other);
      if (known === undefined) dependents.set(other, [name]);
      else known.push(name);
    }
  }
  return dependents;
}

/** Walks the graph once, without recursion: a chain may have thousands of skills. */
function findCycles(required: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const isDone = new Set<string>();
  for (const start of required.keys()) {
    const path: string[] = [];
    const depths = new Map<string, number>();
    const pending: { readonly name: string; readonly depth: number }[] = [{ name: start, depth: 0 }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { name, depth } = next;
      for (const left of path.splice(depth)) {
        depths.delete(left);
        isDone.add(left);
      }
      const seenAt = depths.get(name);
      if (seenAt !== undefined) cycles.push(path.slice(seenAt));
      if (seenAt !== undefined || isDone.has(name)) continue;
      depths.set(name, depth);
      path.push(name);
      for (const other of required.get(name) ?? []) pending.push({ name: other, depth: depth + 1 });
    }
    for (const left of path) isDone.add(left);
  }
  return cycles;
}

function inCycle(names: readonly string[]): UnmetRequirement {
  const shown = names.length > MOST_SHOWN ? [...names.slice(0, MOST_SHOWN - 1), "…", names.at(-1)] : names;
  return {
    kind: "skill",
    name: names[1] ?? "",
    reason: `it requires itself: ${shown.join(" → ")}`,
    fix: "Remove one of these skills from 'requires-skills' of the one before it.",
  };
}

const MOST_SHOWN = 10;

function absent(name: string, status: Exclude<SkillEntry["status"], "enabled"> | undefined): UnmetRequirement {
  return {
    kind: "skill",
    name,
    reason: `it requires the skill '${name}', which is ${status ?? "missing"}`,
    fix: FIXES[status ?? "missing"](name),
  };
}

const FIXES: Readonly<Record<Exclude<SkillEntry["status"], "enabled"> | "missing", (name: string) => string>> = {
  missing: (name) => `Add the skill '${name}'.`,
  disabled: (name) => `Enable the skill '${name}'.`,
  locked: (name) => `Review the skill '${name}', then run 'skillset trust'.`,
  invalid: (name) => `Fix the problems of the skill '${name}'.`,
  shadowed: (name) => `Enable the skill '${name}'.`,
  unavailable: (name) => `Meet the requirements of the skill '${name}'.`,
};
