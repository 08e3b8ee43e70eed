import { PromptValidationError } from "../../core/base/errors.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { checkTool, type SectionToolContext } from "./section-tool.ts";

/** The parameters of sections that do not say what they take. */
// biome-ignore lint/suspicious/noExplicitAny: whatever a prompt is bound to reaches all of its sections
export type AnyParams = any;

/** Whether a section shows all of itself, or a summary until the model asks for more. */
export type SectionVisibility = "full" | "summary";

export type VisibilitySelector<Params> = SectionVisibility | ((params: Params) => SectionVisibility);

export interface SectionOptions<Params = AnyParams> {
  /** The heading. */
  readonly title: string;
  /** Names the section among its siblings; with the keys above it, joined by dots, it is unique in a prompt. */
  readonly key: string;
  readonly children?: readonly Section<Params>[];
  /** A section that is not enabled is not there: neither its text nor its tools. */
  readonly enabled?: (params: Params) => boolean;
  /** On offer while the section shows all of itself. */
  readonly tools?: readonly Tool<AnyParams, unknown, SectionToolContext>[];
  /** Whether a rendering may replace the text. */
  readonly acceptsOverrides?: boolean;
  /** Used where the prompt's own parameters say nothing; also by the section's children. */
  readonly defaultParams?: Partial<Params>;
  readonly visibility?: VisibilitySelector<Params>;
}

/** A skill as a section has it. */
export interface SectionSkill {
  readonly name: string;
  readonly source: "inline" | "ref";
  /** Where a referenced one is. */
  readonly path?: string;
}

/** A part of a prompt. Extend it to make a kind of your own: all that it needs is a body. */
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
      throw new PromptValidationError(`A section's key has 1 to 64 letters, digits, '_' or '-'; got ${shown}.`, [
        shown,
      ]);
    }
    if (typeof title !== "string" || title.trim() === "" || /[\n\r]/.test(title)) {
      throw new PromptValidationError(`Section '${key}' needs a title of one line.`, [key]);
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

  /** The text below the heading; `override` is what a rendering puts in its place, if it does. */
  abstract renderBody(params: Params, override?: string): string;

  /** The text while the section is summarised; undefined for a section that cannot be. */
  renderSummary(_params: Params): string | undefined {
    return undefined;
  }

  /** The skill that the section stands for, if it does. */
  get skill(): SectionSkill | undefined {
    return undefined;
  }

  /** The sections below this one, as they are now. */
  get current(): readonly Section<Params>[] {
    return this.children;
  }

  /** Whether it or a section in it has tools: a skill with tools cannot leave the prompt. */
  get hasTools(): boolean {
    return this.tools.length > 0 || this.children.some((child) => child.hasTools);
  }

  isEnabled(params: Params): boolean {
    return this.#enabled === undefined || Boolean(this.#enabled(params));
  }

  visibilityFor(params: Params): SectionVisibility {
    const visibility = this.#visibility;
    return typeof visibility === "function" ? checkVisibility(visibility(params), this.key) : visibility;
  }

  /** The parameters with the section's own defaults below them. */
  paramsFrom(params: Params): Params {
    return this.#defaults === undefined ? params : { ...this.#defaults, ...params };
  }
}

/** As in a name of the standard, and `_`: never a dot, which joins keys. */
const KEY = /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]{0,63}$/u;

function checkVisibility(value: SectionVisibility, key: string): SectionVisibility {
  if (value === "full" || value === "summary") return value;
  const message = `The visibility of section '${key}' must be 'full' or 'summary'; got ${JSON.stringify(value)}.`;
  throw new PromptValidationError(message, [key]);
}
