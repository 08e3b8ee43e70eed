import type { Skill } from "../skill/skill.ts";
import type { ScriptHost } from "./script-host.ts";
import type { ToolsetHost } from "./toolset-host.ts";

/** What runs the code of a skill, as the options of the skillset say that loaded it. */
export interface SkillHost {
  /** Undefined if nothing runs its scripts. */
  readonly scripts?: ScriptHost | undefined;
  /** Undefined if its toolsets are off. */
  readonly toolsets?: ToolsetHost | undefined;
  /** Scripts were asked for, but a profile turns them off, or no sandbox works. No other host may run them. */
  readonly scriptsOff?: boolean | undefined;
}

/** A skillset, as far as it says what runs code. */
export interface HostedSkills {
  readonly entries: readonly HostedEntry[];
  readonly settings: { readonly hosts?: readonly SkillHost[] | undefined };
}

interface HostedEntry {
  readonly status: string;
  readonly name: string;
  readonly skill?: Skill;
  readonly host?: SkillHost | undefined;
}

/** Returns what runs the code of a skill of the set. A skill with the same name from elsewhere has none. */
export function hostOf({ entries, settings }: HostedSkills, skill: Skill | undefined): SkillHost {
  if (skill === undefined || settings.hosts === undefined) return NONE;
  return entries.find((entry) => entry.skill === skill && entry.status === "enabled")?.host ?? NONE;
}

const NONE: SkillHost = Object.freeze({});

/** Returns the skills that can be used and whose host has scripts or toolsets. */
export function hostedBy(kind: "scripts" | "toolsets", { entries, settings }: HostedSkills): readonly Skill[] {
  if (settings.hosts === undefined) return [];
  return entries.flatMap(({ status, skill, host }) =>
    skill !== undefined && status === "enabled" && host?.[kind] !== undefined ? [skill] : [],
  );
}

/** Returns everything that runs scripts of the set, also of skills that it does not have now. */
export function scriptHostsOf({ settings: { hosts = [] } }: Pick<HostedSkills, "settings">): readonly ScriptHost[] {
  return [...new Set(hosts.flatMap(({ scripts }) => scripts ?? []))];
}
