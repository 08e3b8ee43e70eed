import { PromptValidationError } from "../../core/base/errors.ts";
import { NAMES } from "../../core/base/limits.ts";
import type { SkillRules } from "../../core/operations/activate-read.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { joinSkills } from "./join-skills.ts";
import type { PromptSkills } from "./prompt-skills.ts";
import type {
  AnyParams,
  ListedSkills,
  RenderContext,
  Section,
  SectionSkill,
  SectionVisibility,
  SkillFolder,
  SkillMode,
} from "./section.ts";
import { offerTool } from "./section-tool.ts";

/** The validated options of a rendering. */
export interface RenderScope {
  readonly params: AnyParams;
  readonly overrides: ReadonlyMap<string, string>;
  readonly open: ReadonlySet<string>;
  /** The names of the skills to include; undefined for all. */
  readonly enabledSkills: ReadonlySet<string> | undefined;
  /** The skills that are installed for the agent. */
  readonly installed: ReadonlySet<string>;
  /** How the model loads the skills that sections list. */
  readonly mode: SkillMode;
  /** Whether the model is told the folders of skills. */
  readonly showDirectory: boolean;
  /** Returns the name that the model sees for a tool. */
  readonly toolName: (name: string) => string;
  /** The tools for the skills in the text. */
  readonly tools: PromptSkills;
}

/** A section in the text. */
export interface RenderedSection {
  /** The dotted key. */
  readonly key: string;
  /** The heading. */
  readonly title: string;
  /** Whether the section is shown in full or summarised. */
  readonly visibility: SectionVisibility;
  /** The name of the section's skill, if it has one. */
  readonly skill?: string;
  /** What that skill allows while it is active. */
  readonly rules?: SkillRules;
}

/** A skill of the prompt, and its state. */
export interface RenderedSkill {
  /** The skill's name. */
  readonly name: string;
  /** The dotted key of its section. */
  readonly key: string;
  /** Whether the skill is defined in code or referenced by path. */
  readonly source: "inline" | "ref";
  /** Shown in full, summarised, or omitted because it is installed for the agent. */
  readonly state: SectionVisibility | "installed";
}

/** The blocks of a prompt's text, with its tools, sections and skills. */
export class Rendering {
  readonly blocks: string[] = [];
  readonly tools = new Map<string, ModelTool>();
  readonly sections = new Map<string, RenderedSection>();
  readonly skills: RenderedSkill[] = [];
  /** The block range of each section. */
  readonly #places = new Map<string, readonly [start: number, end: number]>();
  readonly #scope: RenderScope;
  /** The folders of the skills that are shown in full. */
  readonly #folders: SkillFolder[] = [];
  readonly #listed: ListedSkills[] = [];
  readonly #context: RenderContext;

  constructor(sections: readonly Section[], scope: RenderScope) {
    this.#scope = scope;
    const { mode, showDirectory, toolName, tools } = scope;
    this.#context = { mode, showDirectory, toolName, hasScripts: tools.hasScripts };
    joinSkills(sections, scope.installed);
    for (const section of sections) this.#render(section, section.key, 1, scope.params);
    for (const tool of tools.offer(this.#folders, this.#listed)) this.#addOperation(tool);
  }

  /** Returns the text of one section and its subsections. */
  textOf(key: string): string {
    const [start, end] = this.#places.get(key) ?? [0, 0];
    return this.blocks.slice(start, end).join("\n\n");
  }

  #render(section: Section, key: string, depth: number, given: AnyParams): void {
    const { open, installed, overrides } = this.#scope;
    const params = section.paramsFrom(given);
    if (!isWanted(section, params, this.#scope)) return;
    const { skill } = section;
    if (skill !== undefined && installed.has(skill.name) && !section.hasTools) {
      this.skills.push(describeSkill(skill, key, "installed"));
      return;
    }
    const visibility = open.has(key) ? "full" : section.visibilityFor(params);
    const start = this.blocks.length;
    this.blocks.push(heading(section.title, depth));
    if (visibility === "full") {
      this.#add(section.renderBody(params, overrides.get(key), this.#context));
      for (const child of section.current) this.#render(child, `${key}.${child.key}`, depth + 1, params);
    } else {
      this.#add(summaryOf(section, key, params, this.#context));
      this.#checkOverrides(section, key, params);
    }
    // Omit a heading without content.
    if (this.blocks.length === start + 1) {
      this.blocks.pop();
      return;
    }
    this.#places.set(key, [start, this.blocks.length]);
    const about = skill && { skill: skill.name, ...(skill.rules && { rules: skill.rules }) };
    const rendered = { key, title: section.title, visibility, ...about };
    this.sections.set(key, Object.freeze(rendered));
    if (skill !== undefined) this.skills.push(describeSkill(skill, key, visibility));
    if (visibility !== "full") return;
    this.#offer(section, key, params);
    this.#folders.push(...section.skillFolders);
    const listed = section.listedSkills(this.#context);
    if (listed.folders.length > 0) this.#listed.push(listed);
  }

  /**
   * An override that cannot be rendered is the caller's mistake: the model that opens the section could not correct it.
   */
  #checkOverrides(section: Section, key: string, params: AnyParams): void {
    const override = this.#scope.overrides.get(key);
    if (override !== undefined) section.renderBody(params, override);
    for (const child of section.current) {
      const own = child.paramsFrom(params);
      if (isWanted(child, own, this.#scope)) this.#checkOverrides(child, `${key}.${child.key}`, own);
    }
  }

  #add(text: string): void {
    if (text !== "") this.blocks.push(text);
  }

  /** A section's tool with the same name would leave the model without a way to its skills. */
  #addOperation(operation: ModelTool): void {
    const { name } = operation;
    const taken = this.tools.get(name);
    if (taken !== undefined) {
      const message = `Tool '${name}' of section '${taken.section}' has the name of a tool for skills. Rename it.`;
      throw new PromptValidationError(message, [String(taken.section)]);
    }
    this.tools.set(name, operation);
  }

  #offer({ tools, skill }: Section, key: string, params: AnyParams): void {
    for (const tool of tools) {
      const scope = { section: key, params, ...(skill && { skill: skill.name }) };
      if (!this.tools.has(tool.name)) this.tools.set(tool.name, offerTool(tool, scope));
    }
  }
}

function describeSkill({ name, source }: SectionSkill, key: string, state: RenderedSkill["state"]): RenderedSkill {
  return Object.freeze({ name, key, source, state });
}

/** Whether the section is included. */
export function isWanted(section: Section, params: AnyParams, { enabledSkills }: Partial<RenderScope>): boolean {
  const { skill } = section;
  if (skill !== undefined && enabledSkills !== undefined && !enabledSkills.has(skill.name)) return false;
  return section.isEnabled(params);
}

/**
 * Renders the full text of a section and its subsections, without its own heading, for uses where nothing can be opened
 * later.
 */
export function renderWhole(
  section: Section,
  given: AnyParams,
  overrides: ReadonlyMap<string, string>,
  key: string,
  depth = 1,
): string {
  const params = section.paramsFrom(given);
  const blocks = [section.renderBody(params, overrides.get(key))];
  for (const child of section.current) {
    if (!child.isEnabled(child.paramsFrom(params))) continue;
    const text = renderWhole(child, params, overrides, `${key}.${child.key}`, depth + 1);
    if (text !== "") blocks.push(heading(child.title, depth), text);
  }
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** The prompt itself is the first level; Markdown has six. */
function heading(title: string, depth: number): string {
  return `${"#".repeat(Math.min(depth + 1, 6))} ${title}`;
}

function summaryOf(section: Section, key: string, params: AnyParams, { toolName }: RenderContext): string {
  const summary = section.renderSummary(params);
  if (summary === undefined) {
    const message = `Section '${key}' has the visibility 'summary', but no summary. Add one.`;
    throw new PromptValidationError(message, [key]);
  }
  const names = [...toolNames(section, params)].join(", ");
  const [what, whole] = section.skill === undefined ? ["section", "the full text"] : ["skill", "full workflow"];
  const more = names === "" ? "" : ` and access tools: ${names}`;
  const suffix = `---\n[This ${what} is summarized. Call \`${toolName(NAMES.openSections)}\` with key "${key}"\nto view ${whole}${more}.]`;
  // Without the empty line, the rule would turn the summary into a heading.
  return summary === "" ? suffix : `${summary}\n\n${suffix}`;
}

function toolNames(section: Section, given: AnyParams): Set<string> {
  const params = section.paramsFrom(given);
  if (!section.isEnabled(params)) return new Set();
  const below = section.current.flatMap((child) => [...toolNames(child, params)]);
  return new Set([...section.tools.map(({ name }) => name), ...below]);
}
