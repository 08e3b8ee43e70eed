import type { Manifest } from "../manifest/manifest.ts";
import type { Triggers } from "../manifest/triggers.ts";
import type { SkillTool } from "./skill.ts";

const NO_TOOLS: readonly SkillTool[] = Object.freeze([]);

/** The fields that every skill with a SKILL.md takes from its manifest. Subclasses freeze themselves. */
export abstract class ManifestSkill implements Manifest {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly allowedTools: readonly string[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  readonly argumentNames?: readonly string[];
  readonly argumentHint?: string;
  readonly triggers?: Triggers;
  readonly toolsets?: readonly string[];

  constructor(manifest: Manifest) {
    this.name = manifest.name;
    this.description = manifest.description;
    if (manifest.license !== undefined) this.license = manifest.license;
    if (manifest.compatibility !== undefined) this.compatibility = manifest.compatibility;
    this.metadata = manifest.metadata;
    this.allowedTools = manifest.allowedTools;
    this.extra = manifest.extra;
    this.modelInvocable = manifest.modelInvocable;
    this.userInvocable = manifest.userInvocable;
    if (manifest.argumentNames !== undefined) this.argumentNames = manifest.argumentNames;
    if (manifest.argumentHint !== undefined) this.argumentHint = manifest.argumentHint;
    if (manifest.triggers !== undefined) this.triggers = manifest.triggers;
    if (manifest.toolsets !== undefined) this.toolsets = manifest.toolsets;
  }

  /** Only a skill in code has tools. */
  get tools(): readonly SkillTool[] {
    return NO_TOOLS;
  }
}
