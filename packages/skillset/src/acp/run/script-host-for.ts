import type { ScriptHost } from "../../core/session/script-host.ts";
import { Skillset } from "../../core/skillset.ts";
import type { ThinkPlan } from "../options/think-plan.ts";

/** Returns what runs the scripts of a run: the host of the run's skills, or else the conversation's, or else the agent's. */
export function scriptHostFor(
  skills: ThinkPlan["skills"],
  lasting: Skillset | undefined,
  ofAgent: ScriptHost | undefined,
): ScriptHost | undefined {
  const own = skills.find((one) => one instanceof Skillset && one.scripts !== undefined) as Skillset | undefined;
  return own?.scripts ?? lasting?.scripts ?? ofAgent;
}
