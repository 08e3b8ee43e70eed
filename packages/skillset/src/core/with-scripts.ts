import type { ScriptHost } from "./session/script-host.ts";
import type { ToolsetHost } from "./session/toolset-host.ts";
import { Skillset } from "./skillset.ts";

/** Returns the same skills with these hosts for their code. A skillset that is made of others has none. */
export function withScripts(
  skillset: Skillset,
  host: ScriptHost | undefined,
  toolsets: ToolsetHost | undefined = skillset.toolsets,
): Skillset {
  if (skillset.scripts === host && skillset.toolsets === toolsets) return skillset;
  return new Skillset(skillset, { scripts: host, toolRules: skillset.toolRules, toolsets });
}
