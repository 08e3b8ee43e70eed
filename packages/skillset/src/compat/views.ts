import { isStored, type Skill, type StoredSkill } from "../core/skill/skill.ts";
import type { SkillManifest } from "./manifest-schema.ts";

/** A skill's frontmatter with its folder, as prompt sections use it. */
export interface SkillMetadata {
  readonly name: string;
  readonly description: string;
  /** The absolute path of the skill's folder. */
  readonly path: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** A skill as a registry lists it. */
export interface SkillRecord {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowedTools?: string;
  readonly skillDir: string;
  readonly skillMdPath: string;
  /** The source folder in which the skill was found. */
  readonly sourceDir: string;
}

/** A skill with its manifest, as `SkillContextProvider` returns it. */
export interface DiscoveredSkill {
  readonly manifest: SkillManifest;
  /** The skill's folder. Missing, like `skillMdPath`, for a skill in code, from an MCP server or from a source. */
  readonly path?: string;
  readonly skillMdPath?: string;
  /** `given`, `project`, `user` or `bundled` for a folder, `code`, `mcp`, or `source`. */
  readonly source: string;
}

export function toSkillMetadata(skill: StoredSkill): SkillMetadata {
  const { name, description, allowedTools, metadata, basePath: path } = skill;
  return Object.freeze({ name, description, path, allowedTools, metadata, ...optionalTexts(skill) });
}

export function toSkillRecord(skill: StoredSkill): SkillRecord {
  const { basePath: skillDir, origin } = skill;
  const allowedTools = skill.allowedTools.join(" ");
  return Object.freeze({
    ...recordFields(skill),
    ...(allowedTools !== "" && { allowedTools }),
    skillDir,
    skillMdPath: `${skillDir}/SKILL.md`,
    sourceDir: origin.root,
  });
}

export function toDiscoveredSkill(skill: StoredSkill): Required<DiscoveredSkill> {
  return describeSkill(skill) as Required<DiscoveredSkill>;
}

/** Works like `toDiscoveredSkill`, for a skill of any origin. */
export function describeSkill(skill: Skill): DiscoveredSkill {
  const { origin, provider } = skill;
  const allowedTools = skill.allowedTools.join(" ");
  return Object.freeze({
    manifest: Object.freeze({ ...recordFields(skill), ...(allowedTools !== "" && { "allowed-tools": allowedTools }) }),
    ...(isStored(skill) && { path: skill.basePath, skillMdPath: `${skill.basePath}/SKILL.md` }),
    source: isStored(skill) ? skill.origin.scope : provider === undefined ? "code" : origin.kind,
  });
}

function recordFields(skill: Skill) {
  const { name, description, metadata } = skill;
  return { name, description, ...optionalTexts(skill), ...(Object.keys(metadata).length > 0 && { metadata }) };
}

function optionalTexts({ license, compatibility }: Skill): { license?: string; compatibility?: string } {
  return { ...(license !== undefined && { license }), ...(compatibility !== undefined && { compatibility }) };
}
