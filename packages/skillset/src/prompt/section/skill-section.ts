import { PromptValidationError, SkillError } from "../../core/base/errors.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { toSkillMd } from "../../core/skill/serialise.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { visibleText } from "../../core/text/escape.ts";
import { fillTemplate, readTemplate } from "./fill-template.ts";
import { renderWhole } from "./render-sections.ts";
import { type AnyParams, SECTION_OPTIONS, Section, type SectionOptions, type SectionSkill } from "./section.ts";

/** Options for `SkillSection`. */
export interface SkillSectionOptions<Params = AnyParams> extends Omit<SectionOptions<Params>, "key"> {
  /** The skill's name, as in the standard: 1 to 64 lowercase letters, digits and single hyphens. */
  readonly name: string;
  /** What the skill does and when to use it, in plain text. */
  readonly description: string;
  /**
   * The key of the section.
   * @default the skill's name
   */
  readonly key?: string;
  /** The instructions: Markdown with `$name` and `${name}` for parameters and `$$` for a dollar sign. */
  readonly template: string;
  /**
   * A template for the summary.
   * @default the name and the description
   */
  readonly summary?: string;
}

/** A skill in code as a section: summarised until the model opens it, or installed as a SKILL.md. */
export class SkillSection<Params = AnyParams> extends Section<Params> {
  readonly name: string;
  readonly description: string;
  readonly template: string;
  readonly summary: string | undefined;

  constructor(options: SkillSectionOptions<Params>) {
    checkOptions("new SkillSection()", options, OPTIONS);
    checkSkill(options);
    super({ visibility: "summary", key: options.name, ...options });
    this.name = options.name;
    this.description = options.description.trim();
    this.template = readTemplate(options.template, this.key);
    this.summary = options.summary === undefined ? undefined : readTemplate(options.summary, this.key);
    if (this.template === "") {
      throw new PromptValidationError(`Skill '${this.name}' requires a non-empty template.`, [this.name]);
    }
    if (new.target === SkillSection) Object.freeze(this);
  }

  override get skill(): SectionSkill {
    return { name: this.name, source: "inline" };
  }

  override renderBody(params: Params, override?: string): string {
    const template = override === undefined ? this.template : readTemplate(override, this.key);
    return fillTemplate(template, params as object, this.key);
  }

  override renderSummary(params: Params): string {
    if (this.summary !== undefined) return fillTemplate(this.summary, params as object, this.key);
    return summaryOf(this.name, visibleText(this.description));
  }

  /** Returns the skill as a SKILL.md: name and description, then the filled template with its subsections. */
  toSkillMd(params: Params = {} as Params, { overrides = new Map(), path = this.key }: SkillMdOptions = {}): string {
    const body = renderWhole(this, params, overrides, path);
    return toSkillMd({ name: this.name, description: this.description, body });
  }
}

/** Options for `toSkillMd()`. */
export interface SkillMdOptions {
  /**
   * Replacement templates by dotted key.
   * @default new Map()
   */
  readonly overrides?: ReadonlyMap<string, string>;
  /**
   * The dotted key of the skill's section.
   * @default the section's key
   */
  readonly path?: string;
}

/** The default summary of a skill. */
export function summaryOf(name: string, description: string): string {
  return `[Skill: ${name}] ${description}`;
}

/** A tag in a description would be treated as markup where skills are listed. */
const TAG = /<[A-Za-z/!?][^<>]*>/;

function checkSkill({ name, description }: SkillSectionOptions): void {
  try {
    defineSkill({ name, description, body: "" });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    throw new PromptValidationError(error.message, [String(name)], { cause: error });
  }
  const tag = TAG.exec(description)?.[0];
  if (tag === undefined) return;
  const message = `The description of skill '${name}' contains the tag '${tag.slice(0, 40)}'. Write plain text.`;
  throw new PromptValidationError(message, [name]);
}

const OPTIONS: OptionTable<SkillSectionOptions> = {
  ...SECTION_OPTIONS,
  name: true,
  description: true,
  template: true,
  summary: true,
};
