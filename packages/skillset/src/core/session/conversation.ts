import type { RuledSkill } from "../allowed-tools/decide-call.ts";
import type { ToolRules } from "../allowed-tools/tool-rules.ts";
import { SkillError } from "../base/errors.ts";
import type { Problem } from "../base/problem.ts";
import type { ConversationEvent } from "../conversation/reduce.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import type { HostedSkills } from "../host/skill-host.ts";
import type { ScriptHooks } from "../script/script.ts";
import type { RankedSkill, RankOptions } from "../search/rank.ts";
import type { SetSettings } from "../set/set-settings.ts";
import type { Skill, SkillLookup } from "../skill/skill.ts";
import type { Activation } from "./activation.ts";
import { disclose } from "./disclose.ts";
import type { GivenText } from "./given-texts.ts";
import { hasScript } from "./has-script.ts";
import type { LedgerEvent } from "./ledger.ts";
import { loadToolsets, NO_TOOLSETS } from "./load-toolsets.ts";
import { type ReadonlyMemory, SessionMemory } from "./memory.ts";
import type { SessionOptions } from "./options.ts";
import { Resources } from "./resources.ts";
import { reviewActive } from "./review-active.ts";
import { type ConversationSettings, readSettings } from "./settings.ts";
import type { FollowedOperation, TelemetryAttributes } from "./telemetry.ts";
import { unknownSkill } from "./unknown-skill.ts";

/** The skills of a session, and what runs their scripts. */
export interface SessionSkills extends SkillLookup, HostedSkills {
  /** What was found while loading, such as why no scripts can run. */
  readonly problems?: readonly Problem[];
  readonly settings: SetSettings;
  /** Finds the skills that best match a query. */
  readonly rank?: (query: string, options?: RankOptions) => Promise<readonly RankedSkill[]>;
}

/**
 * One conversation over a set of skills: its stored state, what dies with the process, and its settings. Only the modules
 * of this folder write any of them. Not part of the public API.
 */
export class Conversation<Skills extends SessionSkills = SessionSkills> {
  readonly id: string;
  readonly settings: ConversationSettings;
  /** What is stored: the active skills, and what the model was shown. */
  readonly memory: ReadonlyMemory;
  readonly resources = new Resources();
  readonly #memory: SessionMemory;
  #skillset: Skills;
  #hasScripts = false;

  /** Use `openConversation()`. */
  constructor(skillset: Skills, options: SessionOptions) {
    const { id = crypto.randomUUID(), store, budget } = options;
    this.id = id;
    this.settings = readSettings(options);
    this.#memory = new SessionMemory({ id, store, budget: budget?.tokens ?? Number.POSITIVE_INFINITY });
    this.memory = this.#memory;
    this.#skillset = skillset;
  }

  get skillset(): Skills {
    return this.#skillset;
  }

  /** Switches to another set of skills, and loads the latest state from the store. */
  async use(skillset: Skills): Promise<void> {
    this.#skillset = skillset;
    this.#memory.review((name) => skillset.has(name));
    await this.#memory.load();
    const hasScripts = await hasScript(skillset);
    if (this.skillset === skillset) this.#hasScripts = hasScripts;
    await reviewActive(this);
  }

  /** Changes the state by events, which are saved with the next ones that are committed. */
  apply(events: readonly ConversationEvent[]): void {
    this.#memory.apply(events);
  }

  /** Changes the state by events, and saves it. Reverts them if saving fails. */
  commit(events: readonly ConversationEvent[]): Promise<void> {
    return this.#memory.commit(events);
  }

  /** Notes a text that the model received for a skill, so that it is recognized later. */
  remember(skill: string, given: GivenText): void {
    this.resources.given.add(skill, given);
  }

  /** Applies a skill's rules while a skill with its name is active. The set may have another skill with that name. */
  noteRules(skill: RuledSkill): void {
    this.resources.readRules.note(skill, this.skillset.get(skill.name));
  }

  /** Whether a skill has scripts, and something runs them. Stays true for a conversation that was told of scripts. */
  get hasScripts(): boolean {
    return this.#hasScripts || this.memory.catalog?.hasScripts === true;
  }

  /** What `allowed-tools` does in this session. */
  get toolRules(): ToolRules {
    return { ...this.skillset.settings, ...this.settings.toolRules };
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

  /** Returns a skill's instructions as a model receives them. Records only if they were cut. */
  async disclose(skill: Skill, options: DiscloseUse = {}): Promise<Activation> {
    const { arguments: words, held = [], signal, isAside = false, scripts } = options;
    const { known = this.memory.active.get(skill.name)?.digest } = options;
    const { limits, showDirectory, countTokens } = this.settings;
    const isUsable = options.toolsets !== false;
    const toolsets = isUsable ? await loadToolsets(this, skill, { signal, scripts }) : NO_TOOLSETS;
    const activation = await disclose(skill, {
      toolsets,
      arguments: words,
      signal,
      request: held,
      known,
      given: this.resources.given.of(skill.name),
      showDirectory,
      maxBytes: limits.skillMdBytes,
      maxFiles: limits.listedFiles,
      countTokens,
    });
    const { text, digest, truncated, bytes, alreadyActive } = activation;
    if (truncated) this.reportCut(skill, "SKILL.md", bytes, limits.skillMdBytes);
    if (!alreadyActive && !isAside) this.remember(skill.name, { digest, words, text });
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
    const { telemetry } = this.settings;
    if (telemetry === undefined) return attempt();
    const skill = name === undefined ? null : this.skillset.get(name)?.name;
    return telemetry.follow({ session: this.id, skill, ...operation }, attempt, output);
  }

  /** Adds an event to the ledger. The attributes describe it in telemetry. */
  record(event: LedgerEvent, attributes: TelemetryAttributes = {}): void {
    const entry = this.resources.ledger.append(event);
    this.settings.telemetry?.record(entry, attributes);
  }

  /** Adds an event to the ledger, if there was none with this key. */
  recordOnce(key: string, event: LedgerEvent): void {
    const { reported } = this.resources;
    if (reported.has(key)) return;
    reported.add(key);
    this.record(event);
  }

  /** Records that a text was cut, once per skill and path. Otherwise every activation and read would repeat it. */
  reportCut({ name }: Skill, path: string, bytes: number, limit: number): void {
    this.recordOnce(`${name}\0${path}`, { type: "content-truncated", skill: name, path, bytes, limit });
  }
}

export interface DiscloseUse {
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
