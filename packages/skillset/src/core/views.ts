import type { Skill, StoredSkill } from "./skill.ts";

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
  /** The folder whose scan found the skill. */
  readonly sourceDir: string;
}

/** A skill with its manifest, as `SkillContextProvider` gives it. */
export interface DiscoveredSkill {
  readonly manifest: SkillManifest;
  readonly path: string;
  readonly skillMdPath: string;
  readonly source: string;
}

/** The frontmatter in the standard's own spelling. */
export interface SkillManifest {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly "allowed-tools"?: string | readonly string[];
}

export function toSkillMetadata(skill: StoredSkill): SkillMetadata {
  const { name, description, allowedTools, metadata, basePath: path } = skill;
  return Object.freeze({ name, description, path, allowedTools, metadata, ...optionalTexts(skill) });
}

export function toSkillRecord(skill: StoredSkill): SkillRecord {
  const { name, description, basePath: skillDir } = skill;
  const allowedTools = skill.allowedTools.join(" ");
  return Object.freeze({
    name,
    description,
    ...optionalTexts(skill),
    ...(Object.keys(skill.metadata).length > 0 && { metadata: skill.metadata }),
    ...(allowedTools !== "" && { allowedTools }),
    skillDir,
    skillMdPath: `${skillDir}/SKILL.md`,
    sourceDir: skill.origin.root,
  });
}

export function toDiscoveredSkill(skill: StoredSkill): DiscoveredSkill {
  const { skillDir: path, skillMdPath, sourceDir: _sourceDir, allowedTools, ...fields } = toSkillRecord(skill);
  const manifest = Object.freeze({ ...fields, ...(allowedTools !== undefined && { "allowed-tools": allowedTools }) });
  return Object.freeze({ manifest, path, skillMdPath, source: skill.origin.scope });
}

function optionalTexts({ license, compatibility }: Skill): { license?: string; compatibility?: string } {
  return { ...(license !== undefined && { license }), ...(compatibility !== undefined && { compatibility }) };
}
