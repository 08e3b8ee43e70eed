import { PromptValidationError } from "../../core/base/errors.ts";
import type { InstallItem } from "../../node/install/install-skills.ts";
import { fillTemplate } from "./fill-template.ts";
import { indexSections } from "./index-sections.ts";
import { readTemplate } from "./markdown-section.ts";
import { type Names, nameSet } from "./names.ts";
import { RefSection } from "./ref-section.ts";
import { isWanted } from "./render-sections.ts";
import { type AnyParams, Section, type SectionOptions } from "./section.ts";
import { SkillRef } from "./skill-ref.ts";
import { SkillSection } from "./skill-section.ts";

/** A skill of a section: in code, or somewhere in the file system. */
export type PromptSkill<Params = AnyParams> = SkillSection<Params> | SkillRef;

export interface SkillsSectionOptions<Params = AnyParams>
  extends Pick<SectionOptions<Params>, "enabled" | "acceptsOverrides"> {
  readonly title?: string;
  readonly key?: string;
  readonly skills?: readonly PromptSkill<Params>[];
  /** The same as references among `skills`, behind all of them. */
  readonly skillRefs?: readonly SkillRef[];
}

export interface InstallSectionOptions<Params = AnyParams> {
  /** The folder that gets a folder for each skill. */
  readonly skillsDir: string;
  readonly params?: Params;
  /** Only these skills; all by default. */
  readonly enabledSkills?: Names;
  readonly signal?: AbortSignal;
}

/** The skills of a prompt: those without tools can be installed for an agent, the others stay in the text. */
export class SkillsSection<Params = AnyParams> extends Section<Params> {
  readonly allSkills: readonly PromptSkill<Params>[];

  constructor(options: SkillsSectionOptions<Params> = {}) {
    const { title = "Skills", key = "skills", skills = [], skillRefs = [], ...rest } = options;
    for (const one of [...skills, ...skillRefs]) {
      if (one instanceof SkillSection || one instanceof SkillRef) continue;
      throw new PromptValidationError(`Section '${key}' takes SkillSections and SkillRefs only.`, [key]);
    }
    super({ ...rest, title, key, children: skills.filter((one) => one instanceof SkillSection) });
    this.allSkills = Object.freeze([...skills, ...skillRefs]);
    if (new.target === SkillsSection) Object.freeze(this);
    indexSections([this]);
  }

  /** Skills in code. */
  get inlineSkills(): readonly SkillSection<Params>[] {
    return this.allSkills.filter((one) => one instanceof SkillSection);
  }

  get referencedSkills(): readonly SkillRef[] {
    return this.allSkills.filter((one) => one instanceof SkillRef);
  }

  /** Skills in code that can be installed: they bring no tools. */
  get nativeSkills(): readonly SkillSection<Params>[] {
    return this.inlineSkills.filter((one) => !one.hasTools);
  }

  /** Skills in code that stay in the prompt, because their tools are called from there. */
  get promptSkills(): readonly SkillSection<Params>[] {
    return this.inlineSkills.filter((one) => one.hasTools);
  }

  /** Skills in code, and the references that are enabled now, in their order. */
  override get current(): readonly Section<Params>[] {
    return this.allSkills.flatMap((one): readonly Section<Params>[] => {
      if (one instanceof SkillSection) return [one];
      return one.isEnabled() ? [new RefSection(one)] : [];
    });
  }

  /** Only what a rendering puts there: the section is its skills. */
  override renderBody(params: Params, override?: string): string {
    return override === undefined ? "" : fillTemplate(readTemplate(override, this.key), params as object, this.key);
  }

  /** Writes the skills without tools and copies the referenced ones; gives the folders that they are in. */
  async installSkills(options: InstallSectionOptions<Params>): Promise<readonly string[]> {
    const { skillsDir, params = {} as Params, enabledSkills, signal } = options;
    const items = this.installItems(params, {
      enabledSkills: enabledSkills && nameSet("enabledSkills", enabledSkills),
    });
    return installItems(skillsDir, items, signal);
  }

  /** What there is to install: the skills that are enabled and need nothing of the prompt. */
  installItems(
    given: Params,
    { enabledSkills, overrides = new Map(), path = this.key }: InstallScope = {},
  ): readonly InstallItem[] {
    const params = this.paramsFrom(given);
    if (!this.isEnabled(params)) return [];
    indexSections([this]);
    return this.current.flatMap((section): InstallItem[] => {
      if (section.hasTools || !isWanted(section, section.paramsFrom(params), { enabledSkills })) return [];
      if (section instanceof RefSection) return [refItem(section.ref)];
      if (!(section instanceof SkillSection)) return [];
      const content = section.toSkillMd(params, { overrides, path: `${path}.${section.key}` });
      return [{ name: section.name, source: "inline", content }];
    });
  }
}

export interface InstallScope {
  readonly enabledSkills?: ReadonlySet<string> | undefined;
  /** Other templates, by dotted key. */
  readonly overrides?: ReadonlyMap<string, string>;
  /** The dotted key of the section. */
  readonly path?: string;
}

/** Loaded here: most prompts are only rendered. */
export async function installItems(
  skillsDir: string,
  items: readonly InstallItem[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (items.length === 0) return [];
  const { installSkills } = await import("../../node/install/install-skills.ts");
  return installSkills(skillsDir, items, signal && { signal });
}

/** Looked at once more: it may have changed since the reference was made. */
function refItem(ref: SkillRef): InstallItem {
  ref.validate();
  const { name, isFile, resolvedPath, symlinks } = ref;
  return isFile ? { name, source: "ref", file: resolvedPath } : { name, source: "ref", folder: resolvedPath, symlinks };
}
