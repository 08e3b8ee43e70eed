import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SkillError } from "../core/errors.ts";

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
  if (claudeFolder !== undefined) denyWrites(skillsDir, join(claudeFolder, "settings.json"));
}

/** Claude asks its settings before it edits a file; a linked one is replaced by a copy with one rule more. */
function denyWrites(skillsDir: string, file: string): void {
  const settings = readSettings(file);
  const { permissions = {} } = settings;
  const deny = [...(permissions.deny ?? []), `Edit(/${skillsDir}/**)`];
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify({ ...settings, permissions: { ...permissions, deny } }, null, 2), { mode: 0o600 });
}

interface ClaudeSettings {
  readonly permissions?: { readonly deny?: readonly string[] };
}

function readSettings(file: string): ClaudeSettings {
  if (!existsSync(file)) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof settings === "object" && settings !== null) return settings;
  } catch {}
  throw new SkillError("option-invalid", `'${file}' is not JSON: Claude's settings cannot be kept.`);
}
