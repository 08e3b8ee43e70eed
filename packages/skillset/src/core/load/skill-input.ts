import { SkillError } from "../base/errors.ts";
import type { Skill, SkillScope } from "../skill/skill.ts";
import type { Skillset } from "../skillset.ts";
import type { SkillSource } from "../source/source.ts";
import { describeValue } from "../text/describe-value.ts";

/**
 * A source for `createSkillset`: a path (a skill's folder, its SKILL.md, a folder of skills, or a glob over those), a
 * skill in code, another skillset, a folder with settings, or a custom `SkillSource`.
 */
export type SkillInput = FolderInput | Skill | Skillset | SkillSource;

/** A path, or a folder with settings. */
export type FolderInput = string | URL | FolderSource;

/** A folder of skills, with settings. */
export interface FolderSource {
  /** The folder's path. Never treated as a glob. */
  readonly path: string;
  /**
   * How the folder was found.
   * @default "given"
   */
  readonly scope?: SkillScope;
  /**
   * Reports a missing folder as a problem instead of throwing.
   * @default false
   */
  readonly optional?: boolean;
  /**
   * How many levels of folders to search. 1 means the folder's children.
   * @default 1
   */
  readonly depth?: number;
  /**
   * Locks skills until their content is trusted.
   * @default true in the scope `project`, otherwise false
   */
  readonly needsTrust?: boolean;
  /** A folder that links must not leave. */
  readonly within?: string;
}

/** Whether the argument of `createSkillset` is a list of sources. */
export function isList(sources: SkillInput | readonly SkillInput[]): sources is readonly SkillInput[] {
  return Array.isArray(sources);
}

/** Whether an input is a skill, in code or already loaded. */
export function isSkill(source: SkillInput): source is Skill {
  return typeof source === "object" && source !== null && "instructions" in source && "origin" in source;
}

/** Returns a path or URL as a folder with settings; throws for everything that is no folder. */
export function toFolderSource(source: SkillInput): FolderSource {
  const folder = typeof source === "string" ? { path: source } : source instanceof URL ? { path: source.href } : source;
  if (typeof (folder as FolderSource | null)?.path === "string" && (folder as FolderSource).path !== "") {
    refuseAddress((folder as FolderSource).path);
    return folder as FolderSource;
  }
  throw new SkillError(
    "option-invalid",
    `A source must be a path, a skill, a skillset or a SkillSource, not ${describeValue(source)}.`,
  );
}

/** Throws for an address on a network. Everything that resolves a path calls this first. */
export function refuseAddress(path: string): void {
  if (!/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(path)) return;
  const message = `'${path}' is not a path or a file: URL. Clone a repository first. For skills of an MCP server, use importSkills() from skillset/mcp.`;
  throw new SkillError("option-invalid", message);
}
