import type { ScriptHost } from "./session/script-host.ts";
import { Skillset } from "./skillset.ts";

/** Returns the same skills with this host for their scripts. A skillset that is made of others has none. */
export function withScripts(skillset: Skillset, host: ScriptHost | undefined): Skillset {
  return skillset.scripts === host ? skillset : new Skillset(skillset, undefined, host, skillset.toolRules, skillset.toolsets);
}
