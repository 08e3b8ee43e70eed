import type { SkillEntry } from "../../core/source/select.ts";
import type { Output } from "./io.ts";

export type SkillStatus = SkillEntry["status"];

/** The mark of a status, two columns wide; ASCII if the output is not a terminal. */
export function statusMark(status: SkillStatus, { isTTY = false }: Output): string {
  return MARKS[status][isTTY ? 0 : 1];
}

/** The status and its reason, without repeating the status. */
export function statusReason(status: SkillStatus, reason: string): string {
  return reason.startsWith(status) ? reason : `${status}: ${reason}`;
}

/** The colour of a status. */
export function statusStyle(status: SkillStatus): "green" | "gray" | "yellow" | "red" {
  return MARKS[status][2];
}

const MARKS = {
  enabled: ["✓ ", "+ ", "green"],
  disabled: ["– ", "- ", "gray"],
  unavailable: ["! ", "! ", "yellow"],
  shadowed: ["≈ ", "~ ", "gray"],
  locked: ["🔒", "# ", "yellow"],
  invalid: ["✗ ", "x ", "red"],
} as const satisfies Record<SkillStatus, readonly [onTerminal: string, ascii: string, style: string]>;

export const STATUSES = Object.keys(MARKS) as readonly SkillStatus[];
