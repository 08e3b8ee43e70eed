import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HomeSettings, OwnFolder } from "../../agents/agent-definition.ts";
import { SkillError } from "../../core/base/errors.ts";
import { changeSettings } from "./change-settings.ts";

/** Links everything in an agent's folder, except its skills, into a replacement folder. */
export function keepFolder(given: string, folder: string, { variable, besideIt }: OwnFolder): void {
  const kept = resolve(given);
  if (!statSync(kept, { throwIfNoEntry: false })?.isDirectory())
    throw new SkillError("option-invalid", `'${variable}' cannot be kept: the folder '${kept}' does not exist.`);
  for (const name of readdirSync(kept)) if (name !== "skills") symlinkSync(join(kept, name), join(folder, name));
  if (besideIt === undefined || existsSync(join(folder, besideIt))) return;
  const beside = join(dirname(kept), besideIt);
  if (existsSync(beside)) symlinkSync(beside, join(folder, besideIt));
}

/** Protects skills from accidental changes. Does not stop a program that runs as the same user and restores the mode. */
export function protectSkills(skillsDir: string): void {
  chmodSync(skillsDir, 0o555);
}

/** Adds a rule to the home's settings, so that the agent itself refuses to edit its skills, even as root. */
export function denySkillEdits(home: string, skillsDir: string, settings: HomeSettings): void {
  changeSettings(join(home, settings.file), (given) => settings.denyEdits(given, skillsDir));
}
