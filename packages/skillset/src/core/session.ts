import type { Activation } from "./activation.ts";
import { byteLength } from "./bytes.ts";
import { callSkillTool } from "./call-skill-tool.ts";
import type { ToolResult } from "./call-tool.ts";
import type { Catalog, CatalogOptions } from "./catalog.ts";
import { disclose } from "./disclose.ts";
import { SkillError } from "./errors.ts";
import { GivenTexts } from "./given-texts.ts";
import { type Invocation, parseInvocation } from "./invocation.ts";
import { type ActivatedBy, Ledger, type LedgerEntry, type LedgerEvent, type LedgerListener } from "./ledger.ts";
import { LIMITS } from "./limits.ts";
import { readText } from "./read-text.ts";
import { reviewActive } from "./review-active.ts";
import { unknownSkill } from "./session-errors.ts";
import { SessionMemory } from "./session-memory.ts";
import type { ActivateOptions, FileReading, Operation, SessionLimits, SessionOptions } from "./session-options.ts";
import { type RuleOptions, rulesFor } from "./session-rules.ts";
import { isStored, type Skill, type SkillFile } from "./skill.ts";
import type { Skillset } from "./skillset.ts";
import type { OperationRequest, SessionTelemetry } from "./telemetry.ts";
import { estimateTokens, type TokenCounter } from "./tokens.ts";
import { type SkillUsage, usageOf } from "./usage.ts";

/** One conversation over a skillset. Nothing of a conversation lives outside it. */
export class Session {
  readonly id: string;
  /** The skills that the catalog lists: those of the start, so that its bytes stay the same for prompt caches. */
  readonly offered: Skillset;
  #skillset: Skillset;
  readonly #limits: SessionLimits;
  readonly #tellDirectory: boolean;
  readonly #sigil: string;
  readonly #countTokens: TokenCounter;
  readonly #telemetry: SessionTelemetry | undefined;
  readonly #ledger = new Ledger();
  readonly #memory: SessionMemory;
  /** The texts of the request under way; undefined when the host does not say. */
  #request: readonly string[] | undefined;
  /** Skills whose instructions were handed to a client, which may have shown them to the model. */
  readonly #handed = new Set<string>();
  readonly #given = new GivenTexts();

  /** Use `skillset.session()`, which also restores what the store knows. */
  constructor(
    skillset: Skillset,
    { id = crypto.randomUUID(), store, limits = {}, tellDirectory = false, sigil = "/", ...rest }: SessionOptions = {},
  ) {
    this.id = id;
    this.#skillset = skillset;
    this.#limits = { ...DEFAULTS, ...limits };
    this.#tellDirectory = tellDirectory;
    this.#sigil = sigil;
    this.offered = skillset;
    this.#countTokens = rest.countTokens ?? estimateTokens;
    this.#memory = new SessionMemory({ id, store, budget: rest.budget?.tokens ?? Number.POSITIVE_INFINITY });
    this.#telemetry = rest.telemetry;
    if (rest.telemetry !== undefined) this.#ledger.on("*", (entry) => rest.telemetry?.record(entry));
  }

  /** The skills of this conversation, as they are now. */
  get skillset(): Skillset {
    return this.#skillset;
  }

  /** Takes up where the stored conversation left off; skills that changed or vanished meanwhile are noted. */
  async restore(): Promise<void> {
    await this.#memory.load();
    await reviewActive(this.#memory.active, this.#skillset, this.#ledger);
  }

  /** Goes on over another set, as after a reload; active skills that changed or vanished are noted. */
  async update(skillset: Skillset): Promise<void> {
    if (skillset === this.#skillset) return;
    this.#skillset = skillset;
    const before = this.#memory.active.size;
    await reviewActive(this.#memory.active, this.#skillset, this.#ledger);
    if (this.#memory.active.size < before) await this.#memory.save();
  }

  get ledger(): readonly LedgerEntry[] {
    return this.#ledger.entries;
  }

  /** The names of the skills that are active, in the order of their activation. */
  get active(): readonly string[] {
    return [...this.#memory.active.keys()];
  }

  /** What each skill was used for, and what it cost. */
  usage(): readonly SkillUsage[] {
    return usageOf(this.#ledger.entries);
  }

  /** Calls back when something of this type happens; gives a function that stops it. */
  on<Type extends LedgerEvent["type"]>(type: Type, listener: LedgerListener<Type>): () => void {
    return this.#ledger.on(type, listener as (entry: LedgerEntry) => void);
  }

  /** Tells which texts the model is about to be given, so that instructions are repeated when they are not among them. */
  observe(texts: Iterable<string>): void {
    this.#request = [...texts];
  }

  /** The skills on offer, for the start of a prompt; those of the start, unless others are given. */
  catalog(options: CatalogOptions = {}, offered = this.offered): Catalog {
    const catalog = offered.catalog({ countTokens: this.#countTokens, ...options });
    const omitted = new Set(catalog.omitted);
    const skills = offered.skills.flatMap(({ name, modelInvocable }) =>
      modelInvocable && !omitted.has(name) ? [name] : [],
    );
    if (skills.length > 0) this.#ledger.append({ type: "skills-offered", skills, tokens: catalog.tokens });
    return catalog;
  }

  /** The catalog, how to use it with the operations on offer, and what is active: empty when there are no skills. */
  prompt(options: CatalogOptions & RuleOptions = {}): string {
    const { text } = this.catalog(options);
    return text === "" ? "" : `${text}\n\n${rulesFor(this.active, options)}`;
  }

  /** The skill that a message asks for by its name at the very start; undefined when it asks for none. */
  invocation(message: string): Invocation | undefined {
    return parseInvocation(message, (name) => this.skillset.get(name), this.#sigil);
  }

  /** Gives a skill's instructions, and remembers that the conversation has them. */
  async activate(name: string, options: ActivateOptions = {}): Promise<Activation> {
    const { by = "model", signal } = options;
    return this.#attempt(name, { type: "activate", arguments: options.arguments }, async () => {
      signal?.throwIfAborted();
      const skill = this.#find(name, by);
      const activation = await this.#disclose(skill, options);
      const { digest, truncated, alreadyActive, tokens } = activation;
      this.#memory.spend(name, tokens);
      if (this.#memory.active.get(name)?.digest !== digest) this.#memory.active.set(name, { name, digest, by });
      await this.#memory.save();
      const bytes = byteLength(activation.text);
      this.#ledger.append({
        type: "skill-activated",
        skill: name,
        by,
        digest,
        bytes,
        tokens,
        truncated,
        repeated: alreadyActive,
      });
      return activation;
    });
  }

  /** Forgets that a skill is active. */
  async deactivate(name: string): Promise<boolean> {
    if (!this.#memory.active.delete(name)) return false;
    await this.#memory.save();
    this.#ledger.append({ type: "skill-deactivated", skill: name });
    return true;
  }

  /** The text of one of a skill's files. */
  async read(name: string, given: string, { signal }: Operation = {}): Promise<FileReading> {
    return this.#attempt(name, { type: "read", path: given }, async () => {
      const skill = this.#use(name);
      const maxBytes = this.#limits.resourceBytes;
      const reading = await readText(skill, given, { hasInstructions: this.#isOffered(skill), maxBytes, signal });
      const { path, bytes, truncated } = reading;
      if (truncated) this.#warnOnce(skill, path, bytes, maxBytes);
      this.#ledger.append({ type: "file-read", skill: name, path, bytes, truncated });
      return reading;
    });
  }

  /** The files of a skill. */
  async list(name: string, directory = ".", { signal }: Operation = {}): Promise<readonly SkillFile[]> {
    return this.#attempt(name, { type: "list", path: directory }, async () =>
      this.#use(name).files.list(directory, signal && { signal }),
    );
  }

  /** Calls one of a skill's tools. */
  async call(name: string, toolName: string, input: unknown, { signal }: Operation = {}): Promise<ToolResult> {
    const options = { ledger: this.#ledger, signal, timeout: this.#limits.toolTimeout };
    return this.#attempt(name, { type: "call", input }, async () =>
      callSkillTool(this.#use(name), toolName, input, options),
    );
  }

  /** For models without tools: what a message needs of the skill that it invokes, for this one request. Changes nothing. */
  async fallback(
    message: string,
    { signal, request = [] }: Operation & { readonly request?: readonly string[] } = {},
  ): Promise<{ readonly message: string; readonly instructions: string }> {
    const invocation = this.invocation(message);
    if (invocation === undefined) return { message, instructions: "" };
    const { skill, arguments: words } = invocation;
    const { text } = await this.#disclose(skill, { arguments: words, ...(signal && { signal }) }, request);
    return { message: words, instructions: text };
  }

  /**
   * The instructions of a skill for a client that fills a message of its own with them. Whether the model will see them
   * is the client's business, so the skill is not active; but its files can be read and its tools called from now on.
   */
  async handOver(name: string, options: Pick<ActivateOptions, "arguments" | "signal"> = {}): Promise<string> {
    const { text, digest } = await this.#disclose(this.#find(name, "user"), options, []);
    this.#handed.add(name);
    this.#ledger.append({ type: "skill-handed-over", skill: name, digest });
    return text;
  }

  /** Whether one of the texts has the instructions of a skill, as this session gives or gave them. */
  async holds(name: string, texts: readonly string[], operation: Operation = {}): Promise<boolean> {
    const isThere = (): boolean => texts.some((text) => this.given(name).some((one) => text.includes(one)));
    // Another program's skill is not fetched again only to find it unchanged.
    if (this.#skillset.get(name)?.origin.kind === "mcp" && isThere()) return true;
    await this.recall(name, operation);
    return isThere();
  }

  /** What the conversation was given of a skill, the newest first. */
  given(name: string): readonly string[] {
    return this.#given.of(name);
  }

  /** The instructions of a skill as a model is given them. Changes nothing, and is not in the ledger. */
  async recall(name: string, { signal }: Operation = {}): Promise<string> {
    return (await this.#disclose(this.#find(name, "host"), signal === undefined ? {} : { signal }, [])).text;
  }

  async #disclose(
    skill: Skill,
    { by: _by, ...options }: ActivateOptions,
    request = this.#request,
  ): Promise<Activation> {
    const limit = this.#limits.skillMdBytes;
    const activation = await disclose(skill, {
      ...options,
      request,
      known: this.#memory.active.get(skill.name)?.digest,
      given: this.given(skill.name),
      tellDirectory: this.#tellDirectory,
      maxBytes: limit,
      maxFiles: this.#limits.listedFiles,
      countTokens: this.#countTokens,
    });
    if (activation.truncated) this.#warnOnce(skill, "SKILL.md", activation.bytes, limit);
    if (!activation.alreadyActive) this.#given.add(skill.name, activation.text);
    return activation;
  }

  /** A skill to read from or to call; what was handed over can be used, though the catalog does not have it. */
  #use(name: string): Skill {
    return this.#find(name, this.#handed.has(name) ? "user" : "model");
  }

  /** Whether the model may have the instructions. */
  #isOffered({ name, modelInvocable }: Skill): boolean {
    return modelInvocable || this.#memory.active.has(name);
  }

  #find(name: string, by: ActivatedBy = "model"): Skill {
    const skill = this.skillset.get(name);
    if (skill !== undefined && (by !== "model" || this.#isOffered(skill))) return skill;
    throw unknownSkill(name, this.skillset.skills);
  }

  async #attempt<Result>(name: string, request: OperationRequest, work: () => Promise<Result>): Promise<Result> {
    const attempt = async (): Promise<Result> => {
      try {
        return await work();
      } catch (error) {
        const code = error instanceof SkillError ? error.code : "unexpected";
        this.#ledger.append({ type: "operation-failed", operation: request.type, skill: name, code });
        throw error;
      }
    };
    if (this.#telemetry === undefined) return attempt();
    const skill = this.skillset.get(name)?.name;
    return this.#telemetry.follow({ session: this.id, skill, ...request }, attempt);
  }

  /** Every activation and read would say it again; once a process is enough for an operator. */
  #warnOnce(skill: Skill, path: string, bytes: number, limit: number): void {
    const key = `${isStored(skill) ? skill.basePath : skill.name}\0${path}`;
    if (WARNED.has(key)) return;
    WARNED.add(key);
    this.#ledger.append({ type: "content-truncated", skill: skill.name, path, bytes, limit });
  }
}

const DEFAULTS: SessionLimits = {
  skillMdBytes: LIMITS.soft.skillMd,
  resourceBytes: LIMITS.soft.resource,
  listedFiles: 50,
  toolTimeout: 120_000,
};
const WARNED = new Set<string>();
