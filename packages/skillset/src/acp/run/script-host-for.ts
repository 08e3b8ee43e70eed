import type { ScriptHost } from "../../core/session/script-host.ts";
import type { ToolsetHost } from "../../core/session/toolset-host.ts";
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

/** Returns what runs the toolsets of a run: the host of the run's skills, or else the conversation's. */
export function toolsetHostFor(skills: ThinkPlan["skills"], lasting: Skillset | undefined): ToolsetHost | undefined {
  const own = skills.find((one) => one instanceof Skillset && one.toolsets !== undefined) as Skillset | undefined;
  return own?.toolsets ?? lasting?.toolsets;
}
