import { PromptValidationError } from "../../core/base/errors.ts";
import type { Problem } from "../../core/base/problem.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import type { InstallItem } from "../../node/install/install-skills.ts";
import { checkSkillsDir } from "./check-skills-dir.ts";
import { fillTemplate, readTemplate } from "./fill-template.ts";
import { indexSections } from "./index-sections.ts";
import { type Names, nameSet } from "./names.ts";
import { installItems, SkillRef } from "./node-only.ts";
import { RefSection } from "./ref-section.ts";
import { isWanted } from "./render-sections.ts";
import { type AnyParams, Section, type SectionOptions } from "./section.ts";
import type { SkillList } from "./skill-list.ts";
import { SkillSection } from "./skill-section.ts";

/** A skill of a section: in code, or referenced by path. */
export type PromptSkill<Params = AnyParams> = SkillSection<Params> | SkillRef;

/** Options for `SkillsSection`. */
export interface SkillsSectionOptions<Params = AnyParams>
  extends Pick<SectionOptions<Params>, "enabled" | "acceptsOverrides"> {
  /**
   * The heading of the section.
   * @default "Skills"
   */
  readonly title?: string;
  /**
   * The key of the section.
   * @default "skills"
   */
  readonly key?: string;
  /**
   * The skills, in order.
   * @default []
   */
  readonly skills?: readonly PromptSkill<Params>[];
  /**
   * References that are added after `skills`.
   * @default []
   */
  readonly skillRefs?: readonly SkillRef[];
}

/** Options for `installSkills()`. */
export interface InstallSectionOptions<Params = AnyParams> {
  /** The folder in which each skill gets its own folder. */
  readonly skillsDir: string;
  /**
   * The parameters of the templates.
   * @default {}
   */
  readonly params?: Params;
  /**
   * The names of the skills to install.
   * @default all skills
   */
  readonly enabledSkills?: Names;
  /** Cancels the installation. */
  readonly signal?: AbortSignal;
}

/** The skills of a prompt. Those without tools can be installed for an agent; the others stay in the text. */
export class SkillsSection<Params = AnyParams> extends Section<Params> {
  readonly allSkills: readonly PromptSkill<Params>[];
  readonly #refs: InstanceType<typeof SkillRef.Checked> | undefined;

  constructor(options: SkillsSectionOptions<Params> = {}) {
    checkOptions("new SkillsSection()", options, OPTIONS);
    const { title = "Skills", key = "skills", skills = [], skillRefs = [], ...rest } = options;
    for (const one of [...skills, ...skillRefs]) {
      if (one instanceof SkillSection || one instanceof SkillRef) continue;
      throw new PromptValidationError(`Section '${key}' accepts only SkillSections and SkillRefs.`, [key]);
    }
    super({ ...rest, title, key, children: skills.filter((one) => one instanceof SkillSection) });
    this.allSkills = Object.freeze([...skills, ...skillRefs]);
    const refs = this.referencedSkills;
    const inCode = this.inlineSkills.map(({ name }) => name);
    this.#refs = refs.length === 0 ? undefined : new SkillRef.Checked(refs, inCode);
    if (new.target === SkillsSection) Object.freeze(this);
    indexSections([this]);
  }

  /** The skills in code. */
  get inlineSkills(): readonly SkillSection<Params>[] {
    return this.allSkills.filter((one) => one instanceof SkillSection);
  }

  /** The skills referenced by path. */
  get referencedSkills(): readonly SkillRef[] {
    return this.allSkills.filter((one) => one instanceof SkillRef);
  }

  /** The skills in code that can be installed, because they have no tools. */
  get nativeSkills(): readonly SkillSection<Params>[] {
    return this.inlineSkills.filter((one) => !one.hasTools);
  }

  /** The skills in code that stay in the prompt, because they have tools. */
  get promptSkills(): readonly SkillSection<Params>[] {
    return this.inlineSkills.filter((one) => one.hasTools);
  }

  /** The skills in code and the enabled references whose requirements are met, in order. */
  override get current(): readonly Section<Params>[] {
    const usable = this.#refs?.usable;
    return this.allSkills.flatMap((one): readonly Section<Params>[] => {
      if (one instanceof SkillSection) return [one];
      return usable?.has(one) ? [new RefSection(one)] : [];
    });
  }

  /** What is wrong with the enabled references although they can be used, and why others are unavailable. */
  get problems(): readonly Problem[] {
    return this.#refs?.problems ?? [];
  }

  /** Looks up what constructors cannot: Python and packages that skills require. */
  async checkRequirements({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#refs?.checkFully(signal);
  }

  override get skillList(): SkillList | undefined {
    return this.#refs?.list;
  }

  /** Returns only an override: the section itself has no text. */
  override renderBody(params: Params, override?: string): string {
    return override === undefined ? "" : fillTemplate(readTemplate(override, this.key), params as object, this.key);
  }

  /** Writes the skills without tools, copies the referenced ones, and returns their folders. */
  async installSkills(options: InstallSectionOptions<Params>): Promise<readonly string[]> {
    checkOptions("installSkills()", options, INSTALL_OPTIONS);
    checkSkillsDir("installSkills()", options);
    const { skillsDir, params = {} as Params, enabledSkills, signal } = options;
    await this.checkRequirements({ signal });
    const items = this.installItems(params, {
      enabledSkills: enabledSkills && nameSet("enabledSkills", enabledSkills),
    });
    return installItems(skillsDir, items, signal);
  }

  /** Returns the skills to install: those that are enabled and have no tools. */
  installItems(
    given: Params,
    { enabledSkills, overrides = new Map(), path = this.key }: InstallScope = {},
  ): readonly InstallItem[] {
    const params = this.paramsFrom(given);
    if (!this.isEnabled(params)) return [];
    indexSections([this]);
    return this.current.flatMap((section): InstallItem[] => {
      if (section.hasTools || !isWanted(section, section.paramsFrom(params), { enabledSkills })) return [];
      if (section instanceof RefSection) return [section.ref.installItem()];
      if (!(section instanceof SkillSection)) return [];
      const content = section.toSkillMd(params, { overrides, path: `${path}.${section.key}` });
      return [{ name: section.name, source: "inline", content }];
    });
  }
}

export interface InstallScope {
  readonly enabledSkills?: ReadonlySet<string> | undefined;
  /** Replacement templates by dotted key. */
  readonly overrides?: ReadonlyMap<string, string>;
  /** The dotted key of the section. */
  readonly path?: string;
}

const INSTALL_OPTIONS: OptionTable<InstallSectionOptions> = {
  skillsDir: true,
  params: true,
  enabledSkills: true,
  signal: true,
};
const OPTIONS: OptionTable<SkillsSectionOptions> = {
  title: true,
  key: true,
  skills: true,
  skillRefs: true,
  enabled: true,
  acceptsOverrides: true,
};
