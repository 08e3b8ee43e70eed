import type { Ledger } from "./ledger.ts";
import type { SessionMemory } from "./session-memory.ts";
import { sha256 } from "./sha256.ts";
import type { Skillset } from "./skillset.ts";

/** Notes what has become of the active skills; none is gone from the list but those that vanished. */
export async function reviewActive(active: SessionMemory["active"], skillset: Skillset, ledger: Ledger): Promise<void> {
  for (const { name, digest: known } of [...active.values()]) {
    const skill = skillset.get(name);
    if (skill === undefined) {
      active.delete(name);
      ledger.append({ type: "skill-missing", skill: name });
      continue;
    }
    // Another program's skill is not fetched before it is used again.
    if (skill.origin.kind === "mcp") continue;
    // Instructions that cannot be read now are told to whoever activates the skill again.
    const digest = await skill.instructions().then(sha256, () => known);
    if (digest !== known) ledger.append({ type: "skill-changed", skill: name, digest });
  }
}
