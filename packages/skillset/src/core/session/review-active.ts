import { sha256 } from "../text/sha256.ts";
import type { SessionContext } from "./context.ts";
import type { LedgerEntry } from "./ledger.ts";

/** Records which active skills changed or vanished; a vanished one is no longer active. True when one vanished. */
export async function reviewActive(context: SessionContext): Promise<boolean> {
  const { memory, skillset, ledger } = context;
  let hasVanished = false;
  for (const { name, digest: known } of [...memory.active.values()]) {
    const skill = skillset.get(name);
    if (skill === undefined) {
      hasVanished = memory.forget(name);
      context.record({ type: "skill-missing", skill: name });
      continue;
    }
    // Another program's skill is not fetched before it is used again.
    if (skill.isRemote) continue;
    // Instructions that cannot be read now are reported to whoever activates the skill again.
    const digest = await skill.instructions().then(sha256, () => known);
    // Also when a change was undone: then it is the one that the conversation has.
    if ((changedTo(ledger.entries, name) ?? known) !== digest)
      context.record({ type: "skill-changed", skill: name, digest });
  }
  return hasVanished;
}

/** The digest of instructions that are newer than those that the conversation has; undefined when it has the newest. */
export function changedTo(entries: readonly LedgerEntry[], name: string): string | undefined {
  const last = entries.findLast(
    (entry) => (entry.type === "skill-changed" || entry.type === "skill-activated") && entry.skill === name,
  );
  return last?.type === "skill-changed" ? last.digest : undefined;
}
