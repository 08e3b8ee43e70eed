import type { CatalogDefaults } from "../../core/catalog/catalog.ts";
import type { SkillHost } from "../../core/host/skill-host.ts";
import { IN_PROCESS } from "../../core/host/toolset-host.ts";
import type { LoadedProfile } from "../../core/load/loaded-profile.ts";
import { isSystemSandbox, RUNNERS_BY_STRENGTH, SANDBOXES, strengthOf } from "../../core/script/runner-names.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { compileFilter, type SelectOptions, type SkillCandidate } from "../../core/source/select.ts";
import { parseVersion } from "../../core/text/version.ts";
import { parseRange } from "../../core/text/version-range.ts";
import { disabledToolsets } from "../../scripts/toolset-host.ts";
import { budgetOf, type ProfileCatalog, type ProfileSource } from "../config/profiles-config.ts";
import { type ResolvedProfile, resolveProfile } from "../config/resolve-profile.ts";

/** A profile, and what it says of scripts. */
export interface AppliedProfile extends LoadedProfile {
  /** Whether code of skills may run without a sandbox. */
  readonly allowsNoSandbox: boolean;
  narrowScripts(options: ScriptOptions | undefined): ScriptOptions | undefined;
}

/** Reads a profile. Returns undefined if there is no default one. */
export function applyProfile(wanted: string | true, cwd: string): AppliedProfile | undefined {
  const resolved = resolveProfile(wanted, { cwd });
  if (resolved === undefined) return undefined;
  const { problems, catalog, allowedTools } = resolved;
  return {
    problems,
    catalog: toDefaults(catalog),
    ...(allowedTools && { allowedTools }),
    filter: (candidates) => filterByProfile(candidates, resolved),
    narrow: (options) => narrowOptions(options, resolved),
    narrowHost: (host) => narrowHost(host, resolved),
    allowsNoSandbox: allowsNoSandbox(resolved),
    narrowScripts: (options) => narrowScriptOptions(options, resolved),
  };
}

function toDefaults(catalog: ProfileCatalog = {}): CatalogDefaults {
  const budget = budgetOf(catalog);
  return { ...(budget && { budget }), ...(catalog.pins && { pins: catalog.pins }) };
}

/** Disables the skills that a profile leaves out. They still shadow others. */
async function filterByProfile(
  candidates: readonly SkillCandidate[],
  { sources }: ResolvedProfile,
): Promise<readonly SkillCandidate[]> {
  const rules = sources.map((source) => ({ source, reasonAgainst: compileFilter(source.profile) }));
  const filtered: SkillCandidate[] = [];
  for (const candidate of candidates) {
    filtered.push(candidate);
    if (candidate.kind === "invalid" || candidate.locked !== undefined || candidate.disabled !== undefined) continue;
    const { skill } = candidate;
    for (const { source, reasonAgainst } of rules) {
      const isPinned = Object.hasOwn(source.profile.pins ?? {}, skill.name);
      const why = reasonAgainst(skill.name) ?? (isPinned ? await whyNotPinned(skill, source) : undefined);
      if (why === undefined) continue;
      filtered[filtered.length - 1] = { ...candidate, disabled: describe(source, why) };
      break;
    }
  }
  return filtered;
}

function describe({ name, path }: ProfileSource, why: string): string {
  return `disabled by the profile '${name}' in ${path}${why === "disabled" ? "" : `: ${why}`}`;
}

async function whyNotPinned(skill: Skill, { profile: { pins = {} } }: ProfileSource): Promise<string | undefined> {
  const pin = pins[skill.name];
  if (pin === undefined) return undefined;
  if (pin.startsWith("sha256:")) {
    const digest = await skill.digest().catch(() => "an unreadable file");
    return digest === pin ? undefined : `pinned to ${pin}, and has ${digest}`;
  }
  const text = skill.metadata.version ?? "";
  const version = parseVersion(text);
  if (version !== undefined && parseRange(pin)?.(version)) return undefined;
  return `pinned to ${pin}, and has ${text === "" ? "no version" : `version ${text.slice(0, 40)}`}`;
}

/** A profile never raises the limit that a program sets. */
function narrowOptions(options: SelectOptions, { maxSkills }: ResolvedProfile): SelectOptions {
  if (maxSkills === undefined) return options;
  return { ...options, maxSkills: Math.min(options.maxSkills ?? maxSkills, maxSkills) };
}

/** A profile never switches scripts on in a program that does not, and never accepts a weaker sandbox than it does. */
function narrowScriptOptions(
  options: ScriptOptions | undefined,
  { scripts }: ResolvedProfile,
): ScriptOptions | undefined {
  if (options === undefined || scripts === undefined) return options;
  if (scripts === "off") return undefined;
  const { runner = scripts.runner } = options;
  const minimum = strongest(options.minimum, minimumOf(scripts), SANDBOXES);
  const named = typeof runner === "string" ? strongest(runner, scripts.runner, RUNNERS_BY_STRENGTH) : runner;
  return {
    ...options,
    ...(named !== undefined && { runner: isSystemSandbox(named) && options.runner !== named ? "auto" : named }),
    ...(minimum !== undefined && { minimum }),
  };
}

/** The runner `auto` with a minimum is a problem if it does not work, and a named runner is an error. */
function minimumOf({ runner, minimum }: Exclude<ResolvedProfile["scripts"], "off" | undefined>) {
  return strongest(minimum, isSystemSandbox(runner) ? runner : undefined, SANDBOXES);
}

/** A skillset among the sources has chosen its runner, which the profile accepts or switches off. */
function narrowHost(host: SkillHost, resolved: ResolvedProfile): SkillHost {
  const { scripts: rule } = resolved;
  if (rule === undefined) return host;
  const least =
    rule === "off" ? undefined : (minimumOf(rule) ?? (rule.runner === "subprocess" ? undefined : rule.runner));
  const isStrong = (level: string): boolean =>
    rule !== "off" && (least === undefined || strengthOf(level) >= strengthOf(least === "auto" ? "embedded" : least));
  const { scripts, toolsets } = host;
  const keepsScripts = scripts === undefined || isStrong(scripts.level);
  const isInProcess = toolsets?.level === IN_PROCESS;
  const keepsToolsets = toolsets === undefined || (isInProcess ? allowsNoSandbox(resolved) : isStrong(toolsets.level));
  if (keepsScripts && keepsToolsets) return host;
  return Object.freeze({
    ...host,
    ...(!keepsScripts && { scripts: undefined, scriptsOff: true }),
    ...(!keepsToolsets && { toolsets: disabledToolsets(toolsets.level) }),
  });
}

/** A profile that names no sandbox does not ask for one. */
function allowsNoSandbox({ scripts }: ResolvedProfile): boolean {
  if (scripts === undefined || scripts === "off") return scripts === undefined;
  return scripts.runner === "subprocess" && scripts.minimum === undefined;
}

function strongest<Word extends string>(
  a: Word | undefined,
  b: Word | undefined,
  weakestFirst: readonly Word[],
): Word | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return weakestFirst.indexOf(a) >= weakestFirst.indexOf(b) ? a : b;
}
