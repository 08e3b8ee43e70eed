import type { ScriptHost } from "./session/script-host.ts";
import type { ToolsetHost } from "./session/toolset-host.ts";
import { deriveSkillset, type Skillset } from "./skillset.ts";

/** Returns the same skills with these hosts for their code. */
export function withScripts(
  skillset: Skillset,
  host: ScriptHost | undefined,
  toolsets: ToolsetHost | undefined = skillset.toolsets,
): Skillset {
  if (skillset.scripts === host && skillset.toolsets === toolsets) return skillset;
  return deriveSkillset(skillset, () => ({ scripts: host, toolsets }));
}
