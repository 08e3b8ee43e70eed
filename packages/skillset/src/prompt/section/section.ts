import { PromptValidationError } from "../../core/base/errors.ts";
import type { SkillRules } from "../../core/operations/activate-read.ts";
import type { Session } from "../../core/session.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { OptionTable } from "../../core/text/check-options.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { checkTool, type SectionToolContext } from "./section-tool.ts";
import type { SkillList } from "./skill-list.ts";

/** Parameters of sections that declare no type for them. */
// biome-ignore lint/suspicious/noExplicitAny: whatever a prompt is bound to reaches all of its sections
export type AnyParams = any;

/** Whether a section is shown in full, or as a summary until the model opens it. */
export type SectionVisibility = "full" | "summary";

/** A visibility, or a function that selects it by the parameters. */
export type VisibilitySelector<Params> = SectionVisibility | ((params: Params) => SectionVisibility);

/** Options for `Section`. */
export interface SectionOptions<Params = AnyParams> {
  /** The heading. */
  readonly title: string;
  /** The section's key, unique among its siblings. Joined with the parent keys by dots, it is unique in a prompt. */
  readonly key: string;
  /**
   * The subsections.
   * @default []
   */
  readonly children?: readonly Section<Params>[];
  /**
   * Whether the section is included. A disabled section has no text and no tools.
   * @default () => true
   */
  readonly enabled?: (params: Params) => boolean;
  /**
   * The tools that are available while the section is shown in full.
   * @default []
   */
  readonly tools?: readonly Tool<AnyParams, unknown, SectionToolContext>[];
  /**
   * Whether a rendering may replace the text.
   * @default true
   */
  readonly acceptsOverrides?: boolean;
  /**
   * Default values for parameters that the prompt does not bind; subsections inherit them.
   * @default {}
   */
  readonly defaultParams?: Partial<Params>;
  /**
   * Whether the section is shown in full or summarised.
   * @default "full"
   */
  readonly visibility?: VisibilitySelector<Params>;
}

export const SKILL_MODES = ["files", "tools", "inject"] as const;

/**
 * How a model loads the skills that a section lists: it reads their files itself, it calls tools such as
 * `activate_skill`, or their instructions are in the text.
 */
export type SkillMode = (typeof SKILL_MODES)[number];

/** What a section knows about a rendering. */
export interface RenderContext {
  /** How the model loads skills, unless the section sets a mode. */
  readonly mode: SkillMode;
  /** Whether the model can run scripts of skills. */
  readonly hasScripts: boolean;
  /** Whether the model is told the folders of skills. */
  readonly showDirectory: boolean;
  /** Returns the name that the model sees for a tool. */
  readonly toolName: (name: string) => string;
}

/** Names a tool as it is called here, for models that see no other name. */
export function ownName(name: string): string {
  return name;
}

/** The skill of a section. */
export interface SectionSkill {
  readonly name: string;
  readonly source: "inline" | "ref";
  /** The path of a referenced skill. */
  readonly path?: string;
  /** What the skill allows while it is active. */
  readonly rules?: SkillRules;
}

/** A skill's folder. */
export interface SkillFolder {
  /** The skill's name. */
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  /**
   * The skill as the section loaded it.
   * @default read from the folder
   */
  readonly skill?: Skill;
  /** Whether the text does not say where the folder is, so that its files can only be read with a tool. */
  readonly isUnlocated?: boolean;
}

/** Skills that a model loads with tools. */
export interface ListedSkills {
  readonly folders: readonly SkillFolder[];
  /** Whether the text omits names, so that the model needs a search. */
  readonly omitsNames: boolean;
  /** The section's own conversation, in which loaded skills become active. */
  readonly session?: Session | undefined;
}

export const SECTION_OPTIONS: OptionTable<SectionOptions> = {
  title: true,
  key: true,
  children: true,
  enabled: true,
  tools: true,
  acceptsOverrides: true,
  defaultParams: true,
  visibility: true,
};

const NONE_LISTED: ListedSkills = Object.freeze({ folders: [], omitsNames: false });

/** A part of a prompt. Extend it to create your own kind: only `renderBody` is required. */
export abstract class Section<Params = AnyParams> {
  readonly title: string;
  readonly key: string;
  readonly children: readonly Section<Params>[];
  readonly tools: readonly Tool<AnyParams, unknown, SectionToolContext>[];
  readonly acceptsOverrides: boolean;
  readonly #enabled: ((params: Params) => boolean) | undefined;
  readonly #defaults: Partial<Params> | undefined;
  readonly #visibility: VisibilitySelector<Params>;

  constructor(options: SectionOptions<Params>) {
    const { title, key, children = [], tools = [], acceptsOverrides = true, visibility = "full" } = options;
    if (typeof key !== "string" || !KEY.test(key)) {
      const shown = JSON.stringify(key);
      throw new PromptValidationError(`A section key must be 1 to 64 letters, digits, '_' or '-'; got ${shown}.`, [
        shown,
      ]);
    }
    if (typeof title !== "string" || title.trim() === "" || /[\n\r]/.test(title)) {
      throw new PromptValidationError(`Section '${key}' requires a title of one line.`, [key]);
    }
    this.title = title.trim();
    this.key = key;
    this.children = Object.freeze([...children]);
    this.tools = Object.freeze(tools.map((tool) => checkTool(tool, key)));
    this.acceptsOverrides = acceptsOverrides;
    this.#enabled = options.enabled;
    this.#defaults = options.defaultParams;
    this.#visibility = visibility;
    if (typeof visibility !== "function") checkVisibility(visibility, key);
  }

  /** Returns the text below the heading; `override` is the replacement text of a rendering, if any. */
  abstract renderBody(params: Params, override?: string, context?: RenderContext): string;

  /** Returns the summary; undefined if the section cannot be summarised. */
  renderSummary(_params: Params): string | undefined {
    return undefined;
  }

  /** The section's skill, if it has one. */
  get skill(): SectionSkill | undefined {
    return undefined;
  }

  /** The section's skills that may require others of the prompt. */
  get skillList(): SkillList | undefined {
    return undefined;
  }

  /** The folders of the skills that the section shows, for their scripts. */
  get skillFolders(): readonly SkillFolder[] {
    return [];
  }

  /** Returns the skills that the section lists for a model to load with tools. */
  listedSkills(_context: RenderContext): ListedSkills {
    return NONE_LISTED;
  }

  /** The current subsections. */
  get current(): readonly Section<Params>[] {
    return this.children;
  }

  /** Whether this section or a subsection has tools. A skill with tools must stay in the prompt. */
  get hasTools(): boolean {
    return this.tools.length > 0 || this.children.some((child) => child.hasTools);
  }

  /** Whether the section is included with these parameters. */
  isEnabled(params: Params): boolean {
    return this.#enabled === undefined || Boolean(this.#enabled(params));
  }

  /** The visibility of the section with these parameters. */
  visibilityFor(params: Params): SectionVisibility {
    const visibility = this.#visibility;
    return typeof visibility === "function" ? checkVisibility(visibility(params), this.key) : visibility;
  }

  /** Returns the parameters, with the section's defaults for missing ones. */
  paramsFrom(params: Params): Params {
    return this.#defaults === undefined ? params : { ...this.#defaults, ...params };
  }
}

/** The characters of a skill name, and `_`. A dot is not allowed, because it joins keys. */
const KEY = /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]{0,63}$/u;

function checkVisibility(value: SectionVisibility, key: string): SectionVisibility {
  if (value === "full" || value === "summary") return value;
  const message = `The visibility of section '${key}' must be 'full' or 'summary'; got ${JSON.stringify(value)}.`;
  throw new PromptValidationError(message, [key]);
}
