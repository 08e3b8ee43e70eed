import { checkChoice } from "../core/base/check-choice.ts";
import { sessionOf } from "../core/conversation-of.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { Session } from "../core/session.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { checkMethods } from "../core/text/describe-value.ts";
import { checkOverrides, unknownSection } from "./check-overrides.ts";
import { checkRequirements, refuseWorkspaces, reportProblems } from "./check-sections.ts";
import {
  checkInstallation,
  type InstallAllSkillsOptions,
  type InstalledSkills,
  installAllSkills,
} from "./install-prompt-skills.ts";
import { PromptRun, type PromptRunOptions } from "./prompt-run.ts";
import type { PromptTemplate } from "./prompt-template.ts";
import { RenderedPrompt } from "./rendered-prompt.ts";
import type { PromptEventListener } from "./section/events.ts";
import { indexSections } from "./section/index-sections.ts";
import { joinSkills } from "./section/join-skills.ts";
import { type Names, nameSet } from "./section/names.ts";
import { PromptSkills } from "./section/node-only.ts";
import { type AnyParams, ownName, SKILL_MODES, type SkillMode } from "./section/section.ts";

/** Options for `render()`. */
export interface RenderOptions {
  /**
   * Replacement templates by dotted key, for sections that accept overrides.
   * @default {}
   */
  readonly overrides?: Readonly<Record<string, string>>;
  /**
   * The dotted keys of sections to show in full, whatever their visibility.
   * @default []
   */
  readonly open?: Names;
  /**
   * The names of the skills to include.
   * @default all skills
   */
  readonly enabledSkills?: Names;
  /**
   * The names of skills that are installed for the agent. Those without tools are omitted from the text.
   * @default []
   */
  readonly installed?: Names;
  /**
   * Runs the scripts of the skills that are shown in full: the tools contain `run_skill_script`, and `read_skill_file` for
   * what the scripts wrote. The runner is tested on the first run. Without it, no scripts are run.
   */
  readonly scripts?: ScriptOptions;
  /**
   * How the model loads the skills that an `AgentSkillsSection` lists, if the section sets no mode.
   * @default "files"
   */
  readonly mode?: SkillMode;
  /**
   * Shows the model the folders of skills with more files than a SKILL.md, for agents that can read them.
   * @default false in `render()`; in `start()`, true if the model has a working folder
   */
  readonly showDirectory?: boolean;
  /**
   * Returns the name that an agent shows its model for a tool, such as `mcp__prompt__open_sections`.
   * @default the tool's own name
   */
  readonly toolName?: (name: string) => string;
  /** Records the runs of scripts in this session. Skills that the model loads with tools become active in it. */
  readonly session?: Session;
  /** Called for each skill that the model loads with tools. */
  readonly onEvent?: PromptEventListener;
}

/** Options for `start()`. */
export interface StartPromptOptions extends Omit<RenderOptions, "session" | "onEvent">, PromptRunOptions {
  /**
   * Whether the model has a working folder. If not, a prompt with a `WorkspaceSection` is refused.
   * @default true
   */
  readonly hasFolder?: boolean | undefined;
  /**
   * Called with warnings for the operator, such as a link in a folder of skills that is not followed.
   * @default process.emitWarning, once for each message
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * A template with its parameters. Immutable: `bind()` returns a new prompt.
 *
 * @example
 * ```ts
 * import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * const template = new PromptTemplate<{ language: string }>({
 *   ns: "review",
 *   key: "code",
 *   sections: [
 *     new MarkdownSection({ title: "Task", key: "task", template: "Review the $language code." }),
 *     new AgentSkillsSection({ skillsDir: "./skills" }),
 *   ],
 * });
 * const { text } = new Prompt(template).bind({ language: "TypeScript" }).render();
 * console.log(text);
 * ```
 */
export class Prompt<Params = AnyParams, Output = unknown> {
  readonly template: PromptTemplate<Params, Output>;
  /** The bound parameters; undefined if there are none. */
  readonly params: Params | undefined;

  constructor(template: PromptTemplate<Params, Output>, params?: Params) {
    checkMethods("The template of a Prompt", template, ["checkParams"], "Create one with new PromptTemplate().");
    this.template = template;
    this.params = params === undefined ? undefined : settled(template.checkParams(params));
    Object.freeze(this);
  }

  /** Returns the prompt with these parameters instead of the current ones. */
  bind(params: Params): Prompt<Params, Output> {
    return new Prompt(this.template, params);
  }

  /** Renders the text for the model, with its tools, sections and skills. */
  render(options: RenderOptions = {}): RenderedPrompt {
    checkOptions("render()", options, RENDER_OPTIONS);
    const { overrides = {}, open = [], enabledSkills, installed = [], scripts, session, onEvent } = options;
    const { mode = "files", showDirectory = false, toolName = ownName } = options;
    checkChoice("mode", mode, SKILL_MODES);
    const { ns, key, sections } = this.template;
    joinSkills(sections, nameSet("installed", installed));
    const index = indexSections(sections);
    const opened = nameSet("open", open);
    for (const wanted of opened) if (!index.has(wanted)) throw unknownSection(wanted, index);
    const scope = {
      params: paramsOf(this),
      overrides: checkOverrides(overrides, index),
      open: opened,
      enabledSkills: enabledSkills && nameSet("enabledSkills", enabledSkills),
      installed: nameSet("installed", installed),
      mode,
      showDirectory,
      toolName,
      tools: new PromptSkills({ scripts, session, showDirectory, onEvent }),
    };
    return new RenderedPrompt({ ns, key, sections, scope });
  }

  /** Starts an evaluation: for those who write an evaluator. */
  start(options: StartPromptOptions = {}): PromptRun<Output> {
    checkOptions("start()", options, START_OPTIONS);
    const { session, onEvent, returnTool = true, hasFolder = true, onWarning, ...rest } = options;
    const { sections } = this.template;
    if (!hasFolder) refuseWorkspaces(sections, paramsOf(this));
    const own = sessionOf(session);
    const rendered = this.render({ showDirectory: hasFolder, ...rest, onEvent, ...(own && { session: own }) });
    reportProblems(sections, onWarning);
    return new PromptRun(this.template, rendered, { session, onEvent, returnTool });
  }

  /**
   * Looks up the Python and the packages that skills require, which constructors cannot. Evaluators call it before
   * `start()`; `installAllSkills()` does it too.
   */
  async checkRequirements(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    checkOptions("checkRequirements()", options, { signal: true });
    await checkRequirements(this.template.sections, options.signal);
  }

  /** Installs the skills that an agent can load itself. Pass their names to `render` as `installed`. */
  async installAllSkills(options: InstallAllSkillsOptions): Promise<InstalledSkills> {
    checkInstallation(options);
    await this.checkRequirements({ signal: options.signal });
    const { ns, key, sections } = this.template;
    joinSkills(sections);
    const index = indexSections(sections);
    const params = paramsOf(this);
    const overrides = checkOverrides(options.overrides ?? {}, index);
    return installAllSkills({ ns, key, sections, params, overrides }, options);
  }
}

/** The parameters for rendering. */
export function paramsOf<Params, Output>({ params, template }: Prompt<Params, Output>): Params {
  return params ?? template.checkParams({});
}

/** Copies plain objects, so that later changes do not affect the prompt. Class instances are kept. */
function settled<Params>(params: Params): Params {
  const isPlain = typeof params === "object" && params !== null && Object.getPrototypeOf(params) === Object.prototype;
  return isPlain ? Object.freeze({ ...params }) : params;
}

const RENDER_OPTIONS: OptionTable<RenderOptions> = {
  overrides: true,
  open: true,
  enabledSkills: true,
  installed: true,
  scripts: true,
  mode: true,
  showDirectory: true,
  toolName: true,
  session: true,
  onEvent: true,
};

const START_OPTIONS: OptionTable<StartPromptOptions> = {
  ...RENDER_OPTIONS,
  returnTool: true,
  hasFolder: true,
  onWarning: true,
};
