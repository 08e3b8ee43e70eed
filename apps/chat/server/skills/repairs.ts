import { createHash } from "node:crypto";
import { type Problem, SkillError, type Skillset } from "skillset";
import { applyFix, planFixes, type SkillFix } from "skillset/node";
import type { RepairResult, RepairView } from "../../shared/skills-api.ts";
import { reasonOf } from "../observe/error-reason.ts";
import type { SkillRegistry } from "./loaded-skills.ts";

/** The repairs that are possible now, as `skillset doctor --fix` makes them. Reads the files again and writes nothing. */
export function planRepairs({ current }: SkillRegistry): readonly RepairView[] {
  return planFixes(current).map((fix) => {
    const { name, file, changes, hunks } = fix;
    return { id: idOf(fix), name, file, changes, hunks };
  });
}

/** Makes the repairs that somebody has seen, one after the other, and loads the skills again. `onRepaired` gets each name. */
export async function makeRepairs(
  registry: SkillRegistry,
  ids: readonly string[],
  onRepaired: (name: string) => void,
): Promise<RepairResult> {
  const planned = new Map(planFixes(registry.current).map((fix) => [idOf(fix), fix]));
  const repaired: string[] = [];
  const failed: { id: string; message: string }[] = [];
  for (const id of ids) {
    try {
      const fix = planned.get(id);
      if (fix === undefined) throw new SkillError("skill-invalid", CHANGED);
      applyFix(fix);
      repaired.push(fix.name);
      onRepaired(fix.name);
    } catch (error) {
      const message = error instanceof SkillError ? error.message : `The repair failed: ${reasonOf(error)}.`;
      failed.push({ id, message });
    }
  }
  if (repaired.length > 0) await registry.rescan();
  return { repaired, failed };
}

/** The problems of a set that a repair removes. The files of a set are read once. */
export function repairableProblems(skillset: Skillset): ReadonlySet<Problem> {
  const known = repairable.get(skillset) ?? new Set(planFixes(skillset).flatMap(({ problems }) => problems));
  repairable.set(skillset, known);
  return known;
}

const repairable = new WeakMap<Skillset, ReadonlySet<Problem>>();
const CHANGED = "The file has changed since the change was shown. Nothing was written. Look at the new change first.";

/** Differs when the file or what would be written differs, so that nobody confirms a change that they have not seen. */
function idOf({ file, before, after, renames }: SkillFix): string {
  return createHash("sha256")
    .update(JSON.stringify([file, before, after, renames]))
    .digest("hex");
}
