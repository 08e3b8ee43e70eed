import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SkillError } from "../../core/base/errors.ts";

/** What is used of Claude Code's settings.json; the rest is kept as it is. */
export interface ClaudeSettings {
  readonly permissions?: { readonly deny?: readonly string[]; readonly allow?: readonly string[] };
  readonly [setting: string]: unknown;
}

/** Changes a settings.json; one that is a link is replaced by a copy, so that nobody's own file is touched. */
export function changeClaudeSettings(file: string, change: (settings: ClaudeSettings) => ClaudeSettings): void {
  const settings = change(readSettings(file));
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** The rule that keeps Claude from editing what is in a folder. */
export function denyEdits(folder: string): string {
  return `Edit(/${folder}/**)`;
}

function readSettings(file: string): ClaudeSettings {
  if (!existsSync(file)) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof settings === "object" && settings !== null) return settings as ClaudeSettings;
  } catch {}
  throw new SkillError("option-invalid", `'${file}' is not JSON: Claude's settings cannot be kept.`);
}
