import { sha256 } from "../text/sha256.ts";
import type { Conversation } from "./conversation.ts";
import type { LedgerEntry } from "./ledger.ts";

/** Records which active skills changed or are missing now. */
export async function reviewActive(context: Conversation): Promise<void> {
  const { memory, skillset } = context;
  const { ledger, missing } = context.resources;
  for (const { name, digest: known } of [...memory.activations.values()]) {
    const skill = skillset.get(name);
    if (skill === undefined) {
      if (!missing.has(name)) context.record({ type: "skill-missing", skill: name });
      missing.add(name);
      continue;
    }
    missing.delete(name);
    // A skill from another program is not fetched until it is used again.
    if (skill.isRemote) continue;
    // Instructions that cannot be read now cause an error when the skill is activated again.
    const digest = await skill.instructions().then(sha256, () => known);
    // A change that was undone is recorded too: the conversation then has the current instructions.
    if ((changedTo(ledger.entries, name) ?? known) !== digest)
      context.record({ type: "skill-changed", skill: name, digest });
  }
}

/** Returns the digest of instructions newer than the conversation's, or undefined if it has the newest. */
export function changedTo(entries: readonly LedgerEntry[], name: string): string | undefined {
  const last = entries.findLast(
    (entry) => (entry.type === "skill-changed" || entry.type === "skill-activated") && entry.skill === name,
  );
  return last?.type === "skill-changed" ? last.digest : undefined;
}
