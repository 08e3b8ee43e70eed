import type { Skillset } from "../../core/skillset.ts";
import { counted } from "./printable.ts";

export function countLocked({ entries }: Skillset): number {
  return entries.filter(({ status }) => status === "locked").length;
}

/** Says how many skills are locked, and what unlocks them. Empty if none is. */
export function lockedHint(skillset: Skillset): string {
  const locked = countLocked(skillset);
  if (locked === 0) return "";
  const [are, them] = locked === 1 ? ["is", "it"] : ["are", "them"];
  return `${counted(locked, "skill")} of this project ${are} locked. Review ${them}, then run 'skillset trust'.\n`;
}
