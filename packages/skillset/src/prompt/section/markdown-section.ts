import { PromptValidationError } from "../../core/base/errors.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { fillTemplate, readTemplate } from "./fill-template.ts";
import { type AnyParams, SECTION_OPTIONS, Section, type SectionOptions } from "./section.ts";
import { type PromptSkill, SkillsSection } from "./skills-section.ts";

/** Options for `MarkdownSection`. */
export interface MarkdownSectionOptions<Params = AnyParams> extends SectionOptions<Params> {
  /** Markdown with `$name` and `${name}` for parameters and `$$` for a dollar sign. Common indentation is removed. */
  readonly template: string;
  /**
   * Skills that belong to the section: listed below its text, and hidden while it is summarised.
   * @default []
   */
  readonly skills?: readonly PromptSkill<Params>[];
  /** A template that replaces the text while the section is summarised. */
  readonly summary?: string;
}

/** A section whose text is a template. */
export class MarkdownSection<Params = AnyParams> extends Section<Params> {
  readonly template: string;
  readonly summary: string | undefined;

  constructor(options: MarkdownSectionOptions<Params>) {
    checkOptions("new MarkdownSection()", options, OPTIONS);
    const { skills = [], children = [], ...rest } = options;
    super({ ...rest, children: skills.length === 0 ? children : [...children, new SkillsSection({ skills })] });
    this.template = readTemplate(options.template, this.key);
    this.summary = options.summary === undefined ? undefined : readTemplate(options.summary, this.key);
    if (options.visibility === "summary" && this.summary === undefined) {
      const message = `Section '${this.key}' has the visibility 'summary', but no summary. Add one.`;
      throw new PromptValidationError(message, [this.key]);
    }
    if (new.target === MarkdownSection) Object.freeze(this);
  }

  override renderBody(params: Params, override?: string): string {
    const template = override === undefined ? this.template : readTemplate(override, this.key);
    return fillTemplate(template, params as object, this.key);
  }

  override renderSummary(params: Params): string | undefined {
    return this.summary === undefined ? undefined : fillTemplate(this.summary, params as object, this.key);
  }
}

const OPTIONS: OptionTable<MarkdownSectionOptions> = {
  ...SECTION_OPTIONS,
  template: true,
  skills: true,
  summary: true,
};
