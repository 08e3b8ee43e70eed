import { join, relative, resolve, sep } from "node:path";
import { type SkillMetadata, toSkillMetadata } from "../../compat/views.ts";
import { PromptValidationError, SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, NAMES } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import { renderCatalog } from "../../core/catalog/catalog.ts";
import { FILE_RULES } from "../../core/operations/operation-rules.ts";
import type { Session } from "../../core/session.ts";
import type { StoredSkill } from "../../core/skill/skill.ts";
import { type LoadedSkills, loadSkillsSync } from "../../node/load/load-skills-sync.ts";
import { resolvePath } from "../../node/load/sources.ts";
import { fillTemplate } from "./fill-template.ts";
import { readTemplate } from "./markdown-section.ts";
import { nameSet } from "./names.ts";
import { recordRead } from "./record-read.ts";
import { type AnyParams, Section, type SectionOptions } from "./section.ts";

export interface AgentSkillsSectionOptions<Params = AnyParams>
  extends Pick<SectionOptions<Params>, "enabled" | "visibility"> {
  /** A folder of skills; looked at once, when the section is made. */
  readonly skillsDir: string | URL;
  /** The conversation that the section is for: a skill that the agent reads becomes active in it. */
  readonly session?: Session;
  /** Only skills whose name matches one of these globs; empty means all. */
  readonly allowedSkills?: readonly string[];
  /** No skill whose name matches one of these globs; beats `allowedSkills`. */
  readonly deniedSkills?: readonly string[];
  /** Where the agent finds the folder, relative to its workspace; by default as from here, or `skills` if it is elsewhere. */
  readonly mountPath?: string;
  /** How many levels of folders to look into: 1 by default, `true` for as many as allowed. */
  readonly recursive?: boolean | number;
  /** Whether a rendering may replace the instructions below the catalog. */
  readonly acceptsOverrides?: boolean;
  readonly title?: string;
  /** Made from `mountPath` by default; `agent-skills` without one. */
  readonly key?: string;
}

/** A skill of the catalog. */
export interface SkillMount {
  readonly name: string;
  /** The skill's folder. */
  readonly folder: string;
  /** The folder of skills that it was found in. */
  readonly root: string;
  /** Where the catalog says that it is, relative to the agent's workspace. */
  readonly location: string;
}

/** The skills of a folder that the agent reads by itself: a catalog with locations, and how to use it. */
export class AgentSkillsSection<Params = AnyParams> extends Section<Params> {
  readonly session: Session | undefined;
  readonly mountPath: string;
  /** The skills that were found. */
  readonly skills: readonly SkillMetadata[];
  /** What was worth a word but no error. */
  readonly problems: readonly Problem[];
  readonly #options: AgentSkillsSectionOptions<Params>;
  readonly #loaded: LoadedSkills;
  readonly #locations: ReadonlyMap<string, string>;

  /** `loaded` is what a section that this one is cloned from has found. */
  constructor(options: AgentSkillsSectionOptions<Params>, loaded?: LoadedSkills) {
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
    this.session = options.session;
    this.mountPath = mountPath.replace(/\/+$/, "");
    this.#options = { ...options, mountPath, key };
    for (const [option, globs] of Object.entries({ allowedSkills, deniedSkills })) nameSet(option, globs);
    const filter = { ...(allowedSkills.length > 0 && { enabled: allowedSkills }), disabled: deniedSkills };
    this.#loaded = loaded ?? loadSkillsSync(folder, { ...filter, recursive });
    this.#locations = new Map(this.#loaded.skills.map((skill) => [skill.name, locate(skill, this.mountPath)]));
    this.skills = Object.freeze(this.#loaded.skills.map(toSkillMetadata));
    this.problems = Object.freeze([...this.#loaded.problems]);
    if (new.target === AgentSkillsSection) Object.freeze(this);
  }

  /** The same skills for another conversation; nothing is read again. */
  clone({ session }: { readonly session?: Session } = {}): AgentSkillsSection<Params> {
    const { session: _session, ...options } = this.#options;
    return new AgentSkillsSection({ ...options, ...(session && { session }) }, this.#loaded);
  }

  /** Where each skill of the catalog is, and where the catalog says that it is. */
  get mounts(): readonly SkillMount[] {
    return this.#loaded.skills
      .filter(({ modelInvocable }) => modelInvocable)
      .map(({ name, basePath, origin: { root } }) => {
        return { name, folder: basePath, root, location: this.#locations.get(name) ?? name };
      });
  }

  /** Without a skill that a model may use there is nothing to say. */
  override isEnabled(params: Params): boolean {
    return this.#loaded.skills.some(({ modelInvocable }) => modelInvocable) && super.isEnabled(params);
  }

  /** The catalog and how to use it. */
  override renderBody(params: Params, override?: string): string {
    const location = (skill: { readonly name: string }) => this.#locations.get(skill.name);
    const { text } = renderCatalog(this.#loaded.skills, { location, mountPath: this.mountPath });
    const rules =
      override === undefined ? FILE_RULES : fillTemplate(readTemplate(override, this.key), params as object, this.key);
    return `${text}\n\n${rules}`;
  }

  /** Only the names. */
  override renderSummary(): string {
    return renderCatalog(this.#loaded.skills, { format: "names" }).text;
  }

  /** The skill whose SKILL.md a path leads to, if one does: what an agent that reads it activates. */
  skillAt(path: string, { cwd = process.cwd() }: { readonly cwd?: string } = {}): SkillMetadata | undefined {
    const file = resolve(cwd, path);
    return this.skills.find(({ name, path: folder }) => {
      const mounted = resolve(cwd, this.#locations.get(name) ?? name, "SKILL.md");
      return file === mounted || file === join(folder, "SKILL.md");
    });
  }

  /**
   * For adapters that see what their agent reads: a SKILL.md at the path activates its skill in the section's session.
   * Returns the skill, or undefined when the path is not the SKILL.md of a skill of this section.
   */
  async recordRead(
    path: string,
    { cwd = process.cwd() }: { readonly cwd?: string } = {},
  ): Promise<SkillMetadata | undefined> {
    const skill = this.skillAt(path, { cwd });
    if (skill !== undefined) await recordRead(skill.path, [this.session]);
    return skill;
  }
}

/** Below the mount path as below the folder; a link there has the name of its skill. */
function locate({ name, basePath, origin: { root } }: StoredSkill, mountPath: string): string {
  if (basePath === root) return mountPath;
  const below = relative(root, basePath).split(sep);
  return `${mountPath}/${below.at(-1) === name ? below.join("/") : name}`;
}

/** From here, where an agent without a workspace works; a folder that is elsewhere has the document's name. */
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
    .replace(/-+$/, "")}`.slice(0, 64);
}

/** The catalog knows the rule; asking it now is better than when the section is rendered. */
function checkMountPath(mountPath: string): void {
  try {
    renderCatalog([], { mountPath });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    throw new PromptValidationError(error.message, [String(mountPath)], { cause: error });
  }
}
