import { SkillError } from "../../core/base/errors.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { FolderSource, SkillInput } from "./sources.ts";

/** Whether an input is a skill, in code or already loaded. */
export function isSkill(source: SkillInput): source is Skill {
  return typeof source === "object" && "instructions" in source && "origin" in source;
}

/** Returns a path or URL as a folder with settings; throws for everything that is no folder. */
export function toFolderSource(source: SkillInput): FolderSource {
  const address = source instanceof URL ? source.href : source;
  if (typeof address === "string" && /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(address)) {
    const message = `Skills cannot be loaded from '${address}': a source is a path or a file: URL. Clone a repository first. For an MCP server, use importSkills() from skillset/mcp.`;
    throw new SkillError("option-invalid", message);
  }
  const folder = typeof source === "string" ? { path: source } : source instanceof URL ? { path: source.href } : source;
  if (typeof (folder as FolderSource | null)?.path === "string" && (folder as FolderSource).path !== "")
    return folder as FolderSource;
  throw new SkillError(
    "option-invalid",
    `A source must be a path, a skill, a skillset or a SkillSource, not ${JSON.stringify(source)}.`,
  );
}
