import type { Manifest } from "../manifest/manifest.ts";
import type { SkillTool } from "./skill.ts";

const NO_TOOLS: readonly SkillTool[] = Object.freeze([]);

export interface ManifestSkill extends Manifest {}

/** A skill with a SKILL.md: it has the fields of its manifest. Subclasses freeze themselves. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field
export abstract class ManifestSkill {
  /** Copies all properties, so the manifest must have no others. */
  constructor(manifest: Manifest) {
    Object.assign(this, manifest);
  }

  /** Only a skill in code has tools. */
  get tools(): readonly SkillTool[] {
    return NO_TOOLS;
  }
}
