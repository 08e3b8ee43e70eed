import type { ScriptHost } from "./host/script-host.ts";
import type { SkillHost } from "./host/skill-host.ts";
import { deriveSkillset, type Skillset } from "./skillset.ts";

/** Returns the same skills, with this host for the scripts of those whose skillsets say nothing about scripts. */
export function withScriptHost(skillset: Skillset, scripts: ScriptHost | undefined): Skillset {
  if (scripts === undefined) return skillset;
  const own: SkillHost = Object.freeze({ scripts });
  const added = new Map<SkillHost, SkillHost>();
  const add = (host: SkillHost | undefined): SkillHost => {
    if (host === undefined) return own;
    if (host.scripts !== undefined || host.scriptsOff) return host;
    const both = added.get(host) ?? Object.freeze({ ...host, scripts });
    added.set(host, both);
    return both;
  };
  return deriveSkillset(skillset, ({ entries, settings }) => ({
    entries: entries.map((entry) => (entry.status === "invalid" ? entry : { ...entry, host: add(entry.host) })),
    settings: { ...settings, hosts: [...new Set([...(settings.hosts ?? []).map(add), own])] },
  }));
}
