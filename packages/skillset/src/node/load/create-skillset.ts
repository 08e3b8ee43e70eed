import { INLINED_SKILLS, loadInlined } from "../../bundled-skills/bundled-skills.ts";
import type { ScriptHost } from "../../core/host/script-host.ts";
import type { SkillHost } from "../../core/host/skill-host.ts";
import type { ToolsetHost } from "../../core/host/toolset-host.ts";
import { LOAD_OPTIONS, type LoadOptions, openEmbedder } from "../../core/load/load-options.ts";
import { type FolderSource, isList, type SkillInput } from "../../core/load/skill-input.ts";
import { SourceLoader } from "../../core/load/source-loader.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { Skillset } from "../../core/skillset.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import type { ToolsetMode } from "../../scripts/toolset-host.ts";
import type { TrustStore } from "../trust/trust.ts";
import type { AppliedProfile } from "./apply-profile.ts";
import { NodePlatform } from "./node-platform.ts";
import { standardFolders } from "./sources.ts";

export interface CreateSkillsetOptions extends LoadOptions {
  /**
   * The base of relative paths.
   * @default process.cwd()
   */
  readonly cwd?: string;
  /**
   * How many levels of folders to search, at most 6. `true` searches all 6.
   * @default 1
   */
  readonly recursive?: boolean | number;
  /**
   * Globs of folders that are not searched: names at any depth (`fixtures`), or paths relative to `cwd`
   * (`test/**`). Folders that you name as sources are always searched.
   * @default []
   */
  readonly ignore?: readonly string[];
  /**
   * Stores which project skills are trusted.
   * @default a store in the user's config folder
   */
  readonly trustStore?: TrustStore;
  /**
   * A profile from the user's and the project's skillset.json, or `true` for the default one. The files are read once.
   * If omitted, neither file is read.
   */
  readonly profile?: string | boolean;
  /** Runs the skills' scripts. Without it, they are text. Skills of another skillset keep what runs theirs. */
  readonly scripts?: ScriptOptions;
  /**
   * Runs the tools in the modules that trusted skills name in `toolsets`, while the skill is active: like scripts
   * (`sandbox`, needs `scripts`), or in this program, without limits and consent (`in-process`).
   * @default "off"
   */
  readonly toolsets?: ToolsetMode;
}

/**
 * Loads skills from folders, from code and from other sources; by default from the standard folders. A broken skill
 * becomes a problem and never affects the others.
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 *
 * const skillset = await createSkillset(["./skills", "./.agents/skills/*"], { disabled: ["draft-*"] });
 * console.log(skillset.catalog().text);
 * const session = await skillset.session();
 * const turn = await session.turn([{ role: "user", text: "/brew-tea green" }]);
 * console.log(turn.instructions, turn.messages, turn.tools);
 * ```
 */
export async function createSkillset(
  sources: SkillInput | readonly SkillInput[] = standardFolders(),
  options: CreateSkillsetOptions = {},
): Promise<Skillset> {
  checkOptions("createSkillset()", options, OPTIONS);
  const profile = await loadProfile(options);
  const scripts = profile ? profile.narrowScripts(options.scripts) : options.scripts;
  // Loaded when it is used: most programs run no scripts.
  const opened = scripts && (await (await import("../../scripts/open-scripts.ts")).openScripts(scripts));
  const toolsets = await openToolsets(options, opened?.host, profile);
  const embedding = await openEmbedder(options);
  const given = (await Promise.all((isList(sources) ? sources : [sources]).map(readInlined))).flat();
  const host = hostWith(options, opened?.host, toolsets);
  const parts = { host, problems: opened?.problems, profile, embedding };
  return new SourceLoader(given, options, { ...parts, platform: new NodePlatform(options, opened?.host) }).load(
    options,
  );
}

/** Undefined if the options say nothing about code. */
function hostWith(
  { scripts: wanted }: CreateSkillsetOptions,
  scripts: ScriptHost | undefined,
  toolsets: ToolsetHost | undefined,
): SkillHost | undefined {
  if (wanted === undefined && toolsets === undefined) return undefined;
  return Object.freeze({ scripts, toolsets, scriptsOff: wanted !== undefined && scripts === undefined });
}

/** Loaded when it is used: most programs have no toolsets. */
async function openToolsets(
  { toolsets = "off", scripts }: CreateSkillsetOptions,
  host: ScriptHost | undefined,
  profile: AppliedProfile | undefined,
): Promise<ToolsetHost | undefined> {
  if (toolsets === "off") return undefined;
  const { createToolsetHost } = await import("../../scripts/toolset-host.ts");
  const isNarrowed = profile !== undefined && !profile.allowsNoSandbox;
  return createToolsetHost(toolsets, { scripts, host, isNarrowed });
}

/** Loaded when it is used: most programs have no profiles. */
async function loadProfile({
  profile,
  cwd = process.cwd(),
}: CreateSkillsetOptions): Promise<AppliedProfile | undefined> {
  if (profile === undefined || profile === false) return undefined;
  const { applyProfile } = await import("./apply-profile.ts");
  return applyProfile(profile, cwd);
}

const OPTIONS: OptionTable<CreateSkillsetOptions> = {
  cwd: true,
  recursive: true,
  ignore: true,
  trustStore: true,
  profile: true,
  scripts: true,
  toolsets: true,
  ...LOAD_OPTIONS,
};

/** In a bundled program, the bundled skills have no folder. */
async function readInlined(source: SkillInput): Promise<readonly SkillInput[]> {
  const path = typeof source === "string" ? source : (source as Partial<FolderSource> | null)?.path;
  return path === INLINED_SKILLS ? loadInlined() : [source];
}
