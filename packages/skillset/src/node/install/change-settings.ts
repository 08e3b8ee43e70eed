import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { JsonObject } from "../../agents/agent-definition.ts";
import { SkillError } from "../../core/base/errors.ts";

/** Changes an agent's JSON settings. Replaces a link with a copy, so that the linked file stays unchanged. */
export function changeSettings(file: string, change: (settings: JsonObject) => JsonObject): void {
  const settings = change(readSettings(file));
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 });
}

function readSettings(file: string): JsonObject {
  if (!existsSync(file)) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof settings === "object" && settings !== null) return settings as JsonObject;
  } catch {}
  throw new SkillError("option-invalid", `'${file}' is not valid JSON, so the agent's settings cannot be kept.`);
}
