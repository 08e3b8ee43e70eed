import { PromptValidationError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import { type InstallAllSkillsOptions, type InstalledSkills, installAllSkills } from "./install-prompt-skills.ts";
import type { PromptTemplate } from "./prompt-template.ts";
import { RenderedPrompt } from "./rendered-prompt.ts";
import { indexSections } from "./section/index-sections.ts";
import { type Names, nameSet } from "./section/names.ts";
import type { AnyParams, Section } from "./section/section.ts";

export interface RenderOptions {
  /** Other templates, by dotted key, for sections that accept them. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The dotted keys of sections that show all of themselves whatever their visibility says. */
  readonly open?: Names;
  /** Only these skills are there; all by default. */
  readonly enabledSkills?: Names;
  /** The names of skills that the agent has in its own way; those without tools are left out of the text. */
  readonly installed?: Names;
}

/** A template with its parameters. Nothing changes it: binding gives another one. */
export class Prompt<Params = AnyParams, Output = unknown> {
  readonly template: PromptTemplate<Params, Output>;
  /** What it is bound to; undefined when it is not. */
  readonly params: Params | undefined;

  constructor(template: PromptTemplate<Params, Output>, params?: Params) {
    this.template = template;
    this.params = params === undefined ? undefined : settled(template.checkParams(params));
    Object.freeze(this);
  }

  /** The same prompt with these parameters in the place of others. */
  bind(params: Params): Prompt<Params, Output> {
    return new Prompt(this.template, params);
  }

  /** The text for the model, and what is in it. */
  render(options: RenderOptions = {}): RenderedPrompt {
    const { overrides = {}, open = [], enabledSkills, installed = [] } = options;
    const { ns, key, sections } = this.template;
    const index = indexSections(sections);
    const opened = nameSet("open", open);
    for (const wanted of opened) if (!index.has(wanted)) throw unknownSection(wanted, index);
    const scope = {
      params: paramsOf(this),
      overrides: checkOverrides(overrides, index),
      open: opened,
      enabledSkills: enabledSkills && nameSet("enabledSkills", enabledSkills),
      installed: nameSet("installed", installed),
    };
    return new RenderedPrompt({ ns, key, sections, scope });
  }

  /** Installs the skills of the prompt that an agent can have in its own way; render with `installed` afterwards. */
  async installAllSkills(options: InstallAllSkillsOptions): Promise<InstalledSkills> {
    const { ns, key, sections } = this.template;
    const index = indexSections(sections);
    const params = paramsOf(this);
    const overrides = checkOverrides(options.overrides ?? {}, index);
    return installAllSkills({ ns, key, sections, params, overrides }, options);
  }
}

/** What a prompt is rendered with. */
export function paramsOf<Params, Output>({ params, template }: Prompt<Params, Output>): Params {
  return params ?? template.checkParams({});
}

/** A plain object is copied, so that changing it later changes no prompt; an instance of a class is what it is. */
function settled<Params>(params: Params): Params {
  const isPlain = typeof params === "object" && params !== null && Object.getPrototypeOf(params) === Object.prototype;
  return isPlain ? Object.freeze({ ...params }) : params;
}

function checkOverrides(
  overrides: Readonly<Record<string, string>>,
  index: ReadonlyMap<string, Section>,
): ReadonlyMap<string, string> {
  const entries = Object.entries(overrides);
  for (const [key, text] of entries) {
    const section = index.get(key);
    if (section === undefined) throw unknownSection(key, index);
    if (!section.acceptsOverrides)
      throw new PromptValidationError(`Section '${key}' accepts no override: its acceptsOverrides is false.`, [key]);
    if (typeof text !== "string")
      throw new PromptValidationError(`The override of section '${key}' must be a text.`, [key]);
  }
  return new Map(entries);
}

function unknownSection(key: string, index: ReadonlyMap<string, Section>): PromptValidationError {
  const known = [...index.keys()];
  const more = known.length > LIMITS.shown.names ? `, and ${known.length - LIMITS.shown.names} more` : "";
  const message = `There is no section '${key}'. Sections: ${known.slice(0, LIMITS.shown.names).join(", ")}${more}.`;
  return new PromptValidationError(message, [key]);
}
