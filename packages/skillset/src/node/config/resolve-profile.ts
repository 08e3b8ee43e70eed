import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { checkOwner } from "../trust/trust.ts";
import { readConfig } from "./config-file.ts";
import { hint } from "./config-section.ts";
import { findConfig, ownConfig } from "./find-config.ts";
import { type Narrowed, narrowProfile } from "./narrow-profile.ts";
import type { ProfileSource, ProfilesConfig } from "./profiles-config.ts";

/** The profile that is in effect. */
export interface ResolvedProfile extends Narrowed {
  /** The filters and pins, each of which applies: the user's, then the project's. */
  readonly sources: readonly ProfileSource[];
}

/**
 * Finds a profile by name, or with `true` the default one, in the user's skillset.json and in the nearest one of the
 * project. Throws for an unknown name. Returns undefined if there is no default profile.
 */
export function resolveProfile(wanted: string | true, { cwd }: { readonly cwd: string }): ResolvedProfile | undefined {
  const ownPath = ownConfig();
  const own = readOwn(ownPath);
  const projectPath = findConfig(cwd);
  const isOwn = projectPath !== undefined && own !== undefined && isSameFile(projectPath, ownPath);
  const project = projectPath === undefined || isOwn ? undefined : readConfig(projectPath).profiles;
  if (wanted !== true && !own?.byName.has(wanted) && !project?.byName.has(wanted))
    throw unknown(wanted, own, project, ownPath, projectPath);
  // A project's profile must not replace the user's default one, so that one is the base of names that the user lacks.
  const ownProfile = (wanted === true ? undefined : own?.byName.get(wanted)) ?? own?.default;
  const projectProfile = wanted === true ? project?.default : project?.byName.get(wanted);
  const sources = [ownProfile, projectProfile].filter((source) => source !== undefined);
  if (sources.length === 0) return undefined;
  const base = ownProfile?.profile ?? {};
  const narrowed = projectProfile ? narrowProfile(base, projectProfile, ownPath) : { ...base, problems: [] };
  return { ...narrowed, sources };
}

function readOwn(path: string): ProfilesConfig | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // Another user who can write to the file could allow what its owner does not.
  checkOwner(dirname(path), statSync(dirname(path)), "refused");
  checkOwner(path, stats, "refused");
  return readConfig(path).profiles;
}

function isSameFile(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b);
}

function unknown(
  name: string,
  own: ProfilesConfig | undefined,
  project: ProfilesConfig | undefined,
  ownPath: string,
  projectPath: string | undefined,
): SkillError {
  const names = [...(own?.byName.keys() ?? []), ...(project?.byName.keys() ?? [])];
  const places = [...(projectPath === undefined ? [] : [projectPath]), ownPath].map((path) => `'${path}'`).join(" or ");
  const near = hint(name, names);
  const rest = near !== "." ? near : names.length === 0 ? "." : `. Known profiles: ${names.join(", ")}.`;
  return new SkillError("config-invalid", `There is no profile '${name.slice(0, 80)}' in ${places}${rest}`);
}
