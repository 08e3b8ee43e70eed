import { SkillError } from "../../core/base/errors.ts";
import { checkBudget } from "../../core/session/memory.ts";
import type { SessionOptions } from "../../core/session/options.ts";
import { checkOptions } from "../../core/text/check-options.ts";

/** How the use of skills is followed and limited. */
export type SkillAccounting = Pick<SessionOptions, "telemetry" | "budget">;

/** Throws if an option cannot be used, so that the mistake surfaces where it was made. */
export function checkAccounting({ telemetry, budget }: SkillAccounting): void {
  checkOptions("'budget'", budget, { tokens: true });
  if (budget !== undefined) checkBudget(budget.tokens);
  if (telemetry === undefined || typeof telemetry?.follow === "function") return;
  throw new SkillError("option-invalid", "'telemetry' must be a telemetry object, as in `await openTelemetry()`.");
}
