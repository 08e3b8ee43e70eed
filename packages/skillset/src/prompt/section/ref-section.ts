import { escapeMarkdown, visibleText } from "../../core/text/escape.ts";
import { Section, type SectionSkill, type SkillFolder } from "./section.ts";
import type { SkillRef } from "./skill-ref.ts";
import { summaryOf } from "./skill-section.ts";

/** A referenced skill in the prompt, for agents that cannot have it installed. */
export class RefSection extends Section {
  readonly ref: SkillRef;

  constructor(ref: SkillRef) {
    super({ title: ref.name, key: ref.name, visibility: "summary", acceptsOverrides: false });
    this.ref = ref;
    Object.freeze(this);
  }

  override get skill(): SectionSkill {
    const { name, resolvedPath: path, rules } = this.ref;
    return { name, source: "ref", path, rules };
  }

  override get skillFolders(): readonly SkillFolder[] {
    const { name, isFile, resolvedPath } = this.ref;
    return isFile ? [] : [{ name, folder: resolvedPath, skill: this.ref.skill, isUnlocated: true }];
  }

  /**
   * Returns the file's text unchanged: a `$` in it is not a placeholder. It is cut at the same length as on activation.
   */
  override renderBody(_params: unknown, _override?: string, context = { showDirectory: false }): string {
    return this.ref.readInstructions(context);
  }

  override renderSummary(): string {
    return summaryOf(this.ref.name, escapeMarkdown(visibleText(this.ref.description)));
  }
}
