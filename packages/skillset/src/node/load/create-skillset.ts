import type { AllowedToolsPolicy } from "../../core/allowed-tools/decide-call.ts";
import type { ToolNames } from "../../core/allowed-tools/judged-call.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { CatalogDefaults } from "../../core/catalog/catalog.ts";
import type { PolicyOptions } from "../../core/manifest/policy.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { Embedding } from "../../core/search/embedding.ts";
import { SharedIndex } from "../../core/search/shared-index.ts";
import type { SkillEmbedder } from "../../core/search/skill-embedder.ts";
import type { ScriptHost } from "../../core/session/script-host.ts";
import type { ToolsetHost } from "../../core/session/toolset-host.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { SelectOptions } from "../../core/source/select.ts";
import { checkOptions } from "../../core/text/check-options.ts";
import type { ToolsetMode } from "../../scripts/toolset-host.ts";
import type { SuppliedEnv } from "../requirements/check-requirements.ts";
import type { TrustStore } from "../trust/trust.ts";
import type { AppliedProfile } from "./apply-profile.ts";
import { warnOfProblem } from "./report-problems.ts";
import { SourceLoader } from "./source-loader.ts";
import { resolvePath, type SkillInput, standardFolders } from "./sources.ts";

export interface CreateSkillsetOptions extends SelectOptions, PolicyOptions {
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
   * Stores which project skills are trusted.
   * @default a store in the user's config folder
   */
  readonly trustStore?: TrustStore;
  /**
   * A profile from the user's and the project's skillset.json, or `true` for the default one. The files are read once.
   * If omitted, neither file is read.
   */
  readonly profile?: string | boolean;
  /**
   * The names that skills may require with `metadata.env`, or a function that decides on a name.
   * @default the variables of `process.env` that are not empty
   */
  readonly env?: SuppliedEnv;
  /** Runs the skills' scripts. Without it, they are text. */
  readonly scripts?: ScriptOptions;
  /**
   * Runs the tools in the modules that trusted skills name in `toolsets`, while the skill is active: like scripts
   * (`sandbox`, needs `scripts`), or in this program, without limits and consent (`in-process`).
   * @default "off"
   */
  readonly toolsets?: ToolsetMode;
  /**
   * What `allowed-tools` of active skills does: nothing (`off`), records calls outside it (`log`), or denies them
   * (`enforce`).
   * @default "log"
   */
  readonly allowedTools?: AllowedToolsPolicy;
  /**
   * Your names for tools, by the names that authors of skills write, such as `{ Bash: "shell" }`.
   * @default {}
   */
  readonly toolNames?: ToolNames;
  /**
   * The budget of catalogs, and the skills that keep their description where it is short.
   * @default { budget: { tokens: 8000 } }
   */
  readonly catalog?: CatalogDefaults;
  /**
   * A model that finds skills also by meaning: an embedding model of the AI SDK, or a function. It gets the names and
   * descriptions of the skills and the queries of `skillset.rank()`, which searches and suggestions use too.
   */
  readonly embedding?: Embedding;
  /**
   * Keeps the search index in this file, so that the next program does not index the same skills again. The file can
   * affect the order of search results only. Relative to `cwd`.
   */
  readonly indexFile?: string;
  /** Aborts the load. */
  readonly signal?: AbortSignal;
  /** Called regularly with the number of skills found so far. */
  readonly onProgress?: (found: number) => void;
  /**
   * Called with each problem that loading finds, and with each new one after a reload.
   * @default writes one line to stderr for each broken or locked skill, once per process
   */
  readonly onProblem?: (problem: Problem) => void;
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
  const [embedder, index] = await Promise.all([openEmbedder(options), openIndex(options)]);
  const parts = { scripts: opened, profile, toolsets, embedder, index };
  return new SourceLoader(isList(sources) ? sources : [sources], options, parts).load(options);
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

/** Loaded when it is used: most programs have no embedding model. */
async function openEmbedder({
  embedding,
  onProblem = warnOfProblem,
}: CreateSkillsetOptions): Promise<SkillEmbedder | undefined> {
  if (embedding === undefined) return undefined;
  const { SkillEmbedder } = await import("../../core/search/skill-embedder.ts");
  return new SkillEmbedder(embedding, onProblem);
}

/** Loaded when it is used: most programs do not keep their index. */
async function openIndex({
  indexFile,
  cwd = process.cwd(),
  onProblem = warnOfProblem,
}: CreateSkillsetOptions): Promise<SharedIndex | undefined> {
  if (indexFile === undefined) return undefined;
  const { IndexFile } = await import("../files/index-file.ts");
  return new SharedIndex(new IndexFile(resolvePath(indexFile, cwd), onProblem));
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

const OPTIONS: readonly (keyof CreateSkillsetOptions)[] = [
  "cwd",
  "recursive",
  "trustStore",
  "profile",
  "env",
  "scripts",
  "toolsets",
  "allowedTools",
  "toolNames",
  "catalog",
  "embedding",
  "indexFile",
  "signal",
  "onProgress",
  "onProblem",
  "policy",
  "unknownFields",
  "extensions",
  "asciiNames",
  "enabled",
  "disabled",
  "maxSkills",
  "collisions",
  "requirements",
];

function isList(sources: SkillInput | readonly SkillInput[]): sources is readonly SkillInput[] {
  return Array.isArray(sources);
}
