import { join, relative, resolve, sep } from "node:path";
import type { SkillMetadata } from "../../compat/views.ts";
import { checkChoice } from "../../core/base/check-choice.ts";
import { PromptValidationError, SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, NAMES } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { type Catalog, type CatalogDefaults, type CatalogOptions, renderCatalog } from "../../core/catalog/catalog.ts";
import { checkPins } from "../../core/catalog/check-pins.ts";
import { checkSession, sessionsOf } from "../../core/conversation-of.ts";
import { FILE_RULES, operationRules } from "../../core/operations/operation-rules.ts";
import { searchSkills } from "../../core/operations/search-skills.ts";
import type { Session } from "../../core/session.ts";
import { isStored, type StoredSkill } from "../../core/skill/skill.ts";
import type { SkillCandidate } from "../../core/source/select.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { searchFor } from "../../core/turn/show-catalog.ts";
import { type ScannedSkills, scanSkillsSync } from "../../node/load/scan-skills-sync.ts";
import { resolvePath } from "../../node/load/sources.ts";
import { checkRequirementsSync, needsTime } from "../../node/requirements/check-requirements.ts";
import { withUnmet } from "../../node/requirements/with-unmet.ts";
import { fillTemplate, readTemplate } from "./fill-template.ts";
import { nameSet } from "./names.ts";
import { hasScript, listedOperations } from "./prompt-skills.ts";
import { recordRead } from "./record-read.ts";
import {
  type AnyParams,
  type ListedSkills,
  ownName,
  type RenderContext,
  Section,
  type SectionOptions,
  SKILL_MODES,
  type SkillFolder,
  type SkillMode,
} from "./section.ts";
import { type ListedSelection, listSelected, type ScannedSelection, selectScanned } from "./select-scanned.ts";
import { SkillList } from "./skill-list.ts";
import { SkillRef } from "./skill-ref.ts";

/** Options for `AgentSkillsSection`. */
export interface AgentSkillsSectionOptions<Params = AnyParams>
  extends Pick<SectionOptions<Params>, "enabled" | "visibility"> {
  /** A folder of skills. It is read once, by the constructor. */
  readonly skillsDir: string | URL;
  /** The conversation of the section: skills that the agent reads become active in it. */
  readonly session?: Session;
  /**
   * Globs for the names of the skills to include; empty for all.
   * @default []
   */
  readonly allowedSkills?: readonly string[];
  /**
   * Globs for the names of the skills to exclude. Takes precedence over `allowedSkills`.
   * @default []
   */
  readonly deniedSkills?: readonly string[];
  /**
   * How the model loads a skill: it reads the files at their locations (`files`), it calls `activate_skill` and
   * `read_skill_file` (`tools`), or the text contains the instructions of all skills (`inject`).
   * @default "files" for agents that read files, "tools" for models
   */
  readonly mode?: SkillMode;
  /**
   * The folder's path for the agent, relative to its workspace.
   * @default the path relative to `process.cwd()`, or "skills" for a folder outside of it
   */
  readonly mountPath?: string;
  /**
   * The budget of the catalog, and the skills that keep their description where it is short.
   * @default { budget: { tokens: 8000 } }
   */
  readonly catalog?: CatalogDefaults;
  /**
   * How many levels of folders to search; `true` for the maximum.
   * @default 1
   */
  readonly recursive?: boolean | number;
  /**
   * Leaves out skills whose requirements are not met, and reports them in `problems`.
   * @default true
   */
  readonly requirements?: boolean;
  /**
   * Whether a rendering may replace the instructions below the catalog.
   * @default false
   */
  readonly acceptsOverrides?: boolean;
  /**
   * The heading of the section.
   * @default "Agent Skills"
   */
  readonly title?: string;
  /**
   * The key of the section.
   * @default derived from `mountPath`, or "agent-skills" without one
   */
  readonly key?: string;
}

/** A skill in the catalog. */
export interface SkillMount {
  /** The skill's name. */
  readonly name: string;
  /** The skill's folder. */
  readonly folder: string;
  /** The folder of skills that contains it. */
  readonly root: string;
  /** The location in the catalog, relative to the agent's workspace. */
  readonly location: string;
}

/** A folder of skills: renders a catalog and how to load a skill from it. */
export class AgentSkillsSection<Params = AnyParams> extends Section<Params> {
  readonly session: Session | undefined;
  readonly mountPath: string;
  readonly #options: AgentSkillsSectionOptions<Params>;
  readonly #scanned: ScannedSkills;
  readonly #locations: ReadonlyMap<string, string>;
  readonly #list = new SkillList(() => this.#selection.own);
  #selection: ScannedSelection;
  #listed: ListedSelection | undefined;

  /** `from` is the section that this one is cloned from. */
  constructor(options: AgentSkillsSectionOptions<Params>, from?: AgentSkillsSection<Params>) {
    checkOptions("new AgentSkillsSection()", options, OPTIONS);
    checkOptions("The option 'catalog' of new AgentSkillsSection()", options.catalog, CATALOG_OPTIONS);
    const { skillsDir, allowedSkills = [], deniedSkills = [], ...rest } = options;
    const {
      title = "Agent Skills",
      key = keyFor(rest.mountPath),
      acceptsOverrides = false,
      recursive = DEFAULTS.scanDepth,
    } = rest;
    super({ ...rest, title, key, acceptsOverrides });
    const folder = resolvePath(skillsDir instanceof URL ? skillsDir.href : skillsDir, process.cwd());
    const { mountPath = mountPathFor(folder) } = options;
    checkMountPath(mountPath);
    checkChoice("mode", options.mode, [undefined, ...SKILL_MODES]);
    if (options.session !== undefined) checkSession(options.session);
    this.session = options.session;
    this.mountPath = mountPath.replace(/(?<!\/)\/+$/, "");
    this.#options = { ...options, mountPath, key };
    for (const [option, globs] of Object.entries({ allowedSkills, deniedSkills })) nameSet(option, globs);
    this.#scanned = from === undefined ? scanSkillsSync(folder, recursive) : from.#scanned;
    this.#selection = from === undefined ? this.#select(checkRequirementsSync(this.#candidates)) : from.#selection;
    const found = this.#candidates.flatMap((one) => (one.kind === "skill" && isStored(one.skill) ? [one.skill] : []));
    if (options.catalog?.pins !== undefined) checkPins(options.catalog.pins, found);
    this.#locations = new Map(found.toReversed().map((skill) => [skill.name, locate(skill, this.mountPath)]));
    if (new.target === AgentSkillsSection) Object.freeze(this);
  }

  /** The skills whose requirements are met. */
  get skills(): readonly SkillMetadata[] {
    return this.#selected.listed;
  }

  /** What was found while loading, such as links that are not followed and requirements that are not met. */
  get problems(): readonly Problem[] {
    return this.#selected.problems;
  }

  /** Looks up what the constructor could not: Python and packages that skills require. */
  async checkRequirements({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#options.requirements === false || !this.#candidates.some(needsTime)) return;
    this.#selection = this.#select(await withUnmet(this.#candidates, { cwd: process.cwd(), signal }));
  }

  override get skillList(): SkillList {
    return this.#list;
  }

  /** What the section lists, which depends on the skills of the sections beside it. */
  get #selected(): ListedSelection {
    const { entries } = this.#list;
    if (this.#listed?.entries !== entries) this.#listed = listSelected(entries, this.#selection.problems);
    return this.#listed;
  }

  get #candidates(): readonly SkillCandidate[] {
    return this.#scanned.readings.map(({ candidate }) => candidate);
  }

  #select(candidates: readonly SkillCandidate[]): ScannedSelection {
    const { allowedSkills = [], deniedSkills = [], requirements = true } = this.#options;
    const filter = { ...(allowedSkills.length > 0 && { enabled: allowedSkills }), disabled: deniedSkills };
    return selectScanned(this.#scanned, candidates, { ...filter, requirements });
  }

  /** Returns a section with the same skills for another conversation, without reading them again. */
  clone(given: { readonly session?: Session } = {}): AgentSkillsSection<Params> {
    checkOptions("clone()", given, { session: true });
    const { session: _session, ...options } = this.#options;
    return new AgentSkillsSection({ ...options, ...(given.session && { session: given.session }) }, this);
  }

  /** The source folder and the catalog location of each skill. */
  get mounts(): readonly SkillMount[] {
    return this.skillFolders.map(({ name, folder, skill }) => {
      return { name, folder, root: skill.origin.root, location: this.#locations.get(name) ?? name };
    });
  }

  override get skillFolders(): readonly (SkillFolder & { readonly skill: StoredSkill })[] {
    return this.#selected.folders;
  }

  /** Disabled if no skill is available to models. */
  override isEnabled(params: Params): boolean {
    return this.skillFolders.length > 0 && super.isEnabled(params);
  }

  /** Renders the catalog and how to use it, or the instructions of all skills. */
  override renderBody(params: Params, override?: string, context = DEFAULT_CONTEXT): string {
    const written = override && fillTemplate(readTemplate(override, this.key), params as object, this.key);
    const mode = this.modeOr(context.mode);
    if (mode === "inject") return [this.#instructions(context), written].filter(Boolean).join("\n\n");
    if (mode === "tools") {
      const { text, omitted } = this.#catalogForTools(context);
      const hasScripts = context.hasScripts && this.skillFolders.some(hasScript);
      const offered = listedOperations(omitted.length > 0, hasScripts).map(({ definition, name }) => ({
        definition,
        name: context.toolName(name),
      }));
      return `${text}\n\n${written ?? operationRules(offered)}`;
    }
    const location = (skill: { readonly name: string }) => this.#locations.get(skill.name);
    return `${this.#catalog({ location }).text}\n\n${written ?? FILE_RULES}`;
  }

  override listedSkills(context: RenderContext): ListedSkills {
    if (this.modeOr(context.mode) !== "tools") return super.listedSkills(context);
    const { omitted } = this.#catalogForTools(context);
    return { folders: this.skillFolders, omitsNames: omitted.length > 0, session: this.session };
  }

  /** Returns how a model loads skills: the section's own mode, or the given one. */
  modeOr(mode: SkillMode): SkillMode {
    return this.#options.mode ?? mode;
  }

  /** Returns the instructions of all skills, each cut at the same length as on activation. */
  #instructions({ showDirectory }: RenderContext): string {
    return this.skillFolders
      .map(({ name, folder }) => {
        const text = new SkillRef({ path: folder, name, requirements: false }).readInstructions({ showDirectory });
        return `### ${name}\n\n${text.trim()}`;
      })
      .join("\n\n");
  }

  /** Renders only the names. */
  override renderSummary(): string {
    return this.#catalog({ format: "names" }).text;
  }

  #catalogForTools({ toolName }: RenderContext): Catalog {
    return this.#catalog({ findOthers: searchFor(toolName(searchSkills.id)) });
  }

  #catalog(options: CatalogOptions): Catalog {
    const { mountPath } = this;
    const findOthers = `list the folder \`${mountPath}\` to find them`;
    return renderCatalog(this.#selected.skills, { mountPath, findOthers, ...this.#options.catalog, ...options });
  }

  /** Returns the skill whose SKILL.md is at this path, if any. An agent that reads this file activates the skill. */
  skillAt(path: string, options: PathOptions = {}): SkillMetadata | undefined {
    checkOptions("skillAt()", options, PATH_OPTIONS);
    const { cwd = process.cwd() } = options;
    const file = resolve(cwd, path);
    return this.skills.find(({ name, path: folder }) => {
      const mounted = resolve(cwd, this.#locations.get(name) ?? name, "SKILL.md");
      return file === mounted || file === join(folder, "SKILL.md");
    });
  }

  /**
   * For adapters that see the agent's file reads: activates the skill whose SKILL.md is at the path, in the section's
   * session. Returns the skill, or undefined if the path is not the SKILL.md of a skill in this section.
   */
  async recordRead(path: string, options: PathOptions = {}): Promise<SkillMetadata | undefined> {
    checkOptions("recordRead()", options, PATH_OPTIONS);
    const skill = this.skillAt(path, options);
    if (skill !== undefined) await recordRead(skill.path, sessionsOf([this.session]));
    return skill;
  }
}

interface PathOptions {
  /** The folder that a relative path is relative to; `process.cwd()` by default. */
  readonly cwd?: string;
}

/** What a section assumes that is rendered on its own. */
const DEFAULT_CONTEXT: RenderContext = Object.freeze({
  mode: "files",
  hasScripts: false,
  showDirectory: false,
  toolName: ownName,
});

/** Keeps the folder structure below the mount path; a linked folder is named after its skill. */
function locate({ name, basePath, origin: { root } }: StoredSkill, mountPath: string): string {
  if (basePath === root) return mountPath;
  const below = relative(root, basePath).split(sep);
  return `${mountPath}/${below.at(-1) === name ? below.join("/") : name}`;
}

/**
 * Relative to the working folder, where an agent without a workspace runs. A folder outside of it gets the default
 * name.
 */
function mountPathFor(folder: string): string {
  const path = relative(process.cwd(), folder).split(sep).join("/");
  try {
    checkMountPath(path);
    return path;
  } catch {
    return NAMES.skillsFolder;
  }
}

function keyFor(mountPath: unknown = NAMES.skillsFolder): string {
  return `agent-${String(mountPath)
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/(?<!-)-+$/, "")}`.slice(0, 64);
}

/** Validates the mount path with the catalog's rule in the constructor, not at render time. */
function checkMountPath(mountPath: string): void {
  try {
    renderCatalog([], { mountPath });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    throw new PromptValidationError(error.message, [String(mountPath)], { cause: error });
  }
}

const PATH_OPTIONS: OptionTable<PathOptions> = { cwd: true };
const CATALOG_OPTIONS: OptionTable<CatalogDefaults> = { budget: true, pins: true };
const OPTIONS: OptionTable<AgentSkillsSectionOptions> = {
  skillsDir: true,
  session: true,
  allowedSkills: true,
  deniedSkills: true,
  mode: true,
  mountPath: true,
  catalog: true,
  recursive: true,
  requirements: true,
  acceptsOverrides: true,
  title: true,
  key: true,
  enabled: true,
  visibility: true,
};
