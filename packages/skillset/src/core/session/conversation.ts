import { checkToolRules, type ToolRules } from "../allowed-tools/tool-rules.ts";
import { SkillError } from "../base/errors.ts";
import { oneAfterTheOther } from "../base/in-order.ts";
import { DEFAULTS, LIMITS } from "../base/limits.ts";
import type { Problem } from "../base/problem.ts";
import type { CatalogOptions } from "../catalog/catalog.ts";
import type { ActivatedBy, StoredCatalog } from "../conversation/state.ts";
import { isScriptPath } from "../script/is-script.ts";
import type { ScriptHooks } from "../script/script.ts";
import type { RankedSkill, RankOptions } from "../search/rank.ts";
import type { SetSettings } from "../set/set-settings.ts";
import type { Skill, SkillLookup } from "../skill/skill.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import type { Activation } from "./activation.ts";
import { isTrusted } from "./check-call.ts";
import { disclose } from "./disclose.ts";
import { GivenTexts } from "./given-texts.ts";
import { Ledger, type LedgerEvent } from "./ledger.ts";
import { type LoadedToolsets, loadToolsets, NO_TOOLSETS } from "./load-toolsets.ts";
import { SessionMemory } from "./memory.ts";
import { type SessionLimits, type SessionOptions, TRIGGER_MODES, type TriggerMode } from "./options.ts";
import { ReadRules } from "./read-rules.ts";
import { reviewActive } from "./review-active.ts";
import type { ScriptHost } from "./script-host.ts";
import { renderSessionCatalog } from "./session-catalog.ts";
import { SessionSecrets } from "./session-secrets.ts";
import type { FollowedOperation, SessionTelemetry, TelemetryAttributes } from "./telemetry.ts";
import type { ToolsetHost } from "./toolset-host.ts";
import { unknownSkill } from "./unknown-skill.ts";

/** The skills of a session, and what runs their scripts. */
export interface SessionSkills extends SkillLookup {
  readonly scripts?: ScriptHost | undefined;
  /** What was found while loading, such as why no scripts can run. */
  readonly problems?: readonly Problem[];
  /** Runs the tools of toolsets. */
  readonly toolsets?: ToolsetHost | undefined;
  readonly settings: SetSettings;
  /** Finds the skills that best match a query. */
  readonly rank?: (query: string, options?: RankOptions) => Promise<readonly RankedSkill[]>;
  /** Every skill that was found, also those that are disabled. */
  readonly entries?: readonly { readonly name?: string | undefined }[];
}

/** One conversation over a set of skills: its state, what dies with the process, and its events. Not part of the public API. */
export class Conversation<Skills extends SessionSkills = SessionSkills> {
  readonly id: string;
  readonly limits: SessionLimits;
  /** The prefix of a message that invokes a skill by name. */
  readonly invocationPrefix: string;
  readonly triggers: TriggerMode;
  readonly countTokens: TokenCounter;
  readonly memory: SessionMemory;
  readonly ledger = new Ledger();
  readonly given = new GivenTexts();
  #skillset: Skills;
  #hasScripts = false;
  #namesElsewhere: ReadonlySet<string> | undefined;
  #catalogOptions: CatalogOptions = {};
  readonly scriptHooks: ScriptHooks;
  /** The versions of skills whose scripts may run without asking again. */
  readonly consented = new Set<string>();
  /** The active skills whose absence is in the ledger. */
  readonly missing = new Set<string>();
  /** The content of trusted skills when the session started: only that may run without a question. */
  readonly pinned = new Map<string, string>();
  readonly secrets = new SessionSecrets();
  readonly readRules = new ReadRules();
  readonly #toolRules: ToolRules;
  /** Runs one script after the other: they share a folder. */
  readonly runInOrder = oneAfterTheOther();
  /** The toolsets of each version of a skill that this session loaded. */
  readonly loadedToolsets = new Map<string, LoadedToolsets>();
  /** Loads one skill's toolsets after the other, so that nothing is loaded twice. */
  readonly loadInOrder = oneAfterTheOther();
  readonly #showDirectory: boolean;
  readonly telemetry: SessionTelemetry | undefined;
  readonly #reported = new Set<string>();
  /** Whether a catalog of these skills leaves out names. */
  #omitting: { readonly skills: readonly Skill[]; readonly omits: boolean } | undefined;

  constructor(skillset: Skills, options: SessionOptions = {}) {
    const { id = crypto.randomUUID(), store, limits = {}, showDirectory = false, invocationPrefix = "/" } = options;
    this.id = id;
    this.#skillset = skillset;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.invocationPrefix = invocationPrefix;
    this.triggers = checkTriggerMode(options.triggers);
    this.countTokens = options.countTokens ?? estimateTokens;
    const budget = options.budget?.tokens ?? Number.POSITIVE_INFINITY;
    this.memory = new SessionMemory({ id, store, budget });
    this.scriptHooks = options.scripts ?? {};
    const { allowedTools, toolNames } = options;
    this.#toolRules = checkToolRules({ ...(allowedTools && { allowedTools }), ...(toolNames && { toolNames }) });
    this.#showDirectory = showDirectory;
    this.telemetry = options.telemetry;
  }

  get skillset(): Skills {
    return this.#skillset;
  }

  /** Switches to another set of skills, and loads the latest state from the store. */
  async use(skillset: Skills): Promise<void> {
    this.#skillset = skillset;
    this.memory.review((name) => skillset.has(name));
    await this.memory.load();
    await this.findScripts();
    await reviewActive(this);
  }

  /** The model sees these names elsewhere than in a turn, such as in the instructions of an MCP server. */
  showElsewhere(names: ReadonlySet<string>): void {
    this.#namesElsewhere = names;
  }

  /** The first turn will have these options. Who lists the tools before it must know what its catalog leaves out. */
  expectCatalog(options: CatalogOptions): void {
    this.#catalogOptions = options;
  }

  /** Whether a skill has scripts, and something runs them. Stays true for a conversation that was told of scripts. */
  get hasScripts(): boolean {
    return this.#hasScripts || this.memory.catalog?.hasScripts === true;
  }

  /** Whether the model has not seen the name of a skill that it may activate, because the catalog leaves it out. */
  get omitsNames(): boolean {
    const { memory } = this;
    const names = this.#namesElsewhere;
    if (memory.catalog !== undefined)
      return memory.catalog.omitted.length > 0 || memory.notices.some(({ omitted = [] }) => omitted.length > 0);
    const { skills } = this.skillset;
    if (names !== undefined) return skills.some(({ name, modelInvocable }) => modelInvocable && !names.has(name));
    // Before the first turn, this is what its catalog would do.
    if (this.#omitting?.skills !== skills) {
      const isLarge = skills.length > DEFAULTS.listedNames;
      const omits = isLarge && renderSessionCatalog(this, skills, this.#catalogOptions).omitted.length > 0;
      this.#omitting = { skills, omits };
    }
    return this.#omitting.omits;
  }

  /** What `allowed-tools` does in this session. */
  get toolRules(): ToolRules {
    return { ...this.skillset.settings, ...this.#toolRules };
  }

  /** Returns a skill that the caller may use. Otherwise throws an error that lists the available names. */
  find(name: string, by: ActivatedBy): Skill {
    const skill = this.skillset.get(name);
    if (skill !== undefined && (by !== "model" || this.hasInstructions(skill))) return skill;
    throw unknownSkill(name, this.skillset.skills);
  }

  /** Whether the model may have the skill's instructions. */
  hasInstructions({ name, modelInvocable }: Skill): boolean {
    return modelInvocable || this.memory.active.has(name);
  }

  /** Finds out whether scripts are available. Stops at the first skill that has one. */
  async findScripts(): Promise<void> {
    const { skillset } = this;
    const hasScripts = skillset.scripts !== undefined && (await hasScript(skillset));
    if (this.skillset === skillset) this.#hasScripts = hasScripts;
  }

  /** Whether a trusted skill has toolsets, and something runs them. */
  get hasToolsets(): boolean {
    const { skillset } = this;
    return (
      skillset.toolsets !== undefined && skillset.skills.some((one) => one.toolsets !== undefined && isTrusted(one))
    );
  }

  /** Returns a skill's instructions as a model receives them. Records only if they were cut. */
  async disclose(skill: Skill, options: DiscloseUse = {}): Promise<Activation> {
    const { arguments: words, held = [], signal, isAside = false, scripts } = options;
    const { known = this.memory.active.get(skill.name)?.digest } = options;
    const limit = this.limits.skillMdBytes;
    const isUsable = options.toolsets !== false;
    const toolsets = isUsable ? await loadToolsets(this, skill, { signal, scripts }) : NO_TOOLSETS;
    const activation = await disclose(skill, {
      toolsets,
      arguments: words,
      signal,
      request: held,
      known,
      given: this.given.of(skill.name),
      showDirectory: this.#showDirectory,
      maxBytes: limit,
      maxFiles: this.limits.listedFiles,
      countTokens: this.countTokens,
    });
    const { text, digest, truncated, bytes, alreadyActive } = activation;
    if (truncated) this.reportCut(skill, "SKILL.md", bytes, limit);
    if (!alreadyActive && !isAside) this.given.add(skill.name, { digest, words, text });
    return activation;
  }

  /** Runs an operation with telemetry, and records a failure. */
  async follow<Result>(
    { skill: name, ...operation }: Omit<FollowedOperation, "session" | "skill"> & { readonly skill?: string },
    work: () => Promise<Result>,
    output?: (result: Result) => TelemetryAttributes,
  ): Promise<Result> {
    const attempt = async (): Promise<Result> => {
      try {
        return await work();
      } catch (error) {
        const code = error instanceof SkillError ? error.code : "unexpected";
        const about = name === undefined ? {} : { skill: name };
        this.record({ type: "operation-failed", operation: operation.operation, ...about, code });
        throw error;
      }
    };
    if (this.telemetry === undefined) return attempt();
    const skill = name === undefined ? null : this.skillset.get(name)?.name;
    return this.telemetry.follow({ session: this.id, skill, ...operation }, attempt, output);
  }

  /** Adds an event to the ledger. The attributes describe it in telemetry. */
  record(event: LedgerEvent, attributes: TelemetryAttributes = {}): void {
    const entry = this.ledger.append(event);
    this.telemetry?.record(entry, attributes);
  }

  /** Records which of the skills with these names the catalog lists, and how. */
  recordCatalog(
    { tokens, shortened, nameOnly, omitted, budget }: Omit<StoredCatalog, "text" | "skills" | "hasTools">,
    names: readonly string[],
  ): void {
    if (names.length === 0) return;
    const left = new Set(omitted);
    const skills = names.filter((name) => !left.has(name));
    const less = { shortened: shortened.length, nameOnly: nameOnly.length, omitted: omitted.length };
    const full = names.length - less.shortened - less.nameOnly - less.omitted;
    const limit = full < names.length && budget !== undefined ? { budget } : {};
    this.record({ type: "skills-offered", skills, tokens, counts: { full, ...less }, ...limit });
  }

  /** Adds an event to the ledger, if there was none with this key. */
  recordOnce(key: string, event: LedgerEvent): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.record(event);
  }

  /** Records that a text was cut, once per skill and path. Otherwise every activation and read would repeat it. */
  reportCut({ name }: Skill, path: string, bytes: number, limit: number): void {
    this.recordOnce(`${name}\0${path}`, { type: "content-truncated", skill: name, path, bytes, limit });
  }
}

/** Whether any skill has a script. Only a yes is remembered: a folder can get its first script at any time. */
async function hasScript(skillset: SkillLookup): Promise<boolean> {
  if (WITH_SCRIPTS.has(skillset)) return true;
  for (const { isRemote, files } of skillset.skills) {
    // Listing the files of a remote skill sends requests.
    const listed = isRemote ? [] : await files.list().catch(() => []);
    if (!listed.some(({ kind, path }) => kind === "file" && isScriptPath(path))) continue;
    WITH_SCRIPTS.add(skillset);
    return true;
  }
  return false;
}

const WITH_SCRIPTS = new WeakSet<SkillLookup>();

function checkTriggerMode(mode: TriggerMode = "off"): TriggerMode {
  if (TRIGGER_MODES.includes(mode)) return mode;
  throw new SkillError("option-invalid", `'triggers' must be "off", "activate" or "suggest", not '${mode}'.`);
}

interface DiscloseUse {
  readonly arguments?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The texts that the model is about to see. Instructions among them are not sent again. */
  readonly held?: readonly string[] | undefined;
  /** The digest of the instructions that the conversation received before. */
  readonly known?: string | undefined;
  /** The conversation does not receive this text, so it need not be recognized later. */
  readonly isAside?: boolean;
  /** False leaves out the toolsets: nothing of the skill runs. */
  readonly toolsets?: boolean;
  /** Consent for loading the toolsets. */
  readonly scripts?: ScriptHooks | undefined;
}

export const DEFAULT_LIMITS: SessionLimits = {
  skillMdBytes: LIMITS.soft.skillMd,
  resourceBytes: LIMITS.soft.resource,
  fileBytes: LIMITS.hard.sentFile,
  listedFiles: DEFAULTS.listedFiles,
  toolTimeout: DEFAULTS.toolTimeout,
};
