import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { changeClaudeSettings, denyEdits } from "./claude-settings.ts";

/** Links everything in an agent's own folder into one that takes its place, but for its skills. */
export function keepFolder(given: string, folder: string, variable: string): void {
  const kept = resolve(given);
  if (!statSync(kept, { throwIfNoEntry: false })?.isDirectory())
    throw new SkillError("option-invalid", `'${variable}' cannot be kept: there is no folder '${kept}'.`);
  for (const name of readdirSync(kept)) if (name !== "skills") symlinkSync(join(kept, name), join(folder, name));
  // Claude keeps its account beside the folder until the folder is moved, and in it afterwards.
  const account = join(dirname(kept), ".claude.json");
  if (variable === "CLAUDE_CONFIG_DIR" && !existsSync(join(folder, ".claude.json")) && existsSync(account))
    symlinkSync(account, join(folder, ".claude.json"));
}

/** Keeps an agent from changing skills by accident: no mode keeps a program from what its own user may change back. */
export function protectSkills(skillsDir: string, claudeFolder: string | undefined): void {
  chmodSync(skillsDir, 0o555);
  if (claudeFolder === undefined) return;
  // Claude asks its settings before it edits a file.
  changeClaudeSettings(join(claudeFolder, "settings.json"), ({ permissions = {}, ...settings }) => ({
    ...settings,
    permissions: { ...permissions, deny: [...(permissions.deny ?? []), denyEdits(skillsDir)] },
  }));
}
