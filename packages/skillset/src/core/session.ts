import { keepContext } from "./context-of.ts";
import { activate } from "./operations/activate-skill.ts";
import { call } from "./operations/call-skill-tool.ts";
import { deactivate } from "./operations/deactivate-skill.ts";
import { read } from "./operations/read-skill-file.ts";
import type { Activation } from "./session/activation.ts";
import { SessionContext } from "./session/context.ts";
import type { LedgerEntry, LedgerEvent, LedgerListener } from "./session/ledger.ts";
import type { ActivateOptions, FileReading, Operation, SessionOptions } from "./session/options.ts";
import { reviewActive } from "./session/review-active.ts";
import type { SkillFile } from "./skill/skill.ts";
import type { Skillset } from "./skillset.ts";
import type { ToolResult } from "./tool/call-tool.ts";
import { openTurn, type Turn, type TurnMessage, type TurnOptions } from "./turn/turn.ts";

/** One conversation over a skillset: what is active, what happened, and what each request to a model needs. */
export class Session {
  readonly #context: SessionContext;
  #skillset: Skillset;

  /** Use `skillset.session()`, which also restores what the store has. */
  constructor(skillset: Skillset, options: SessionOptions = {}) {
    this.#skillset = skillset;
    this.#context = new SessionContext(skillset, options);
    keepContext(this, this.#context);
  }

  /** Names the conversation in the store. */
  get id(): string {
    return this.#context.id;
  }

  /** The skills of this conversation, as they are now. */
  get skillset(): Skillset {
    return this.#skillset;
  }

  /** Everything that happened, the oldest first. */
  get ledger(): readonly LedgerEntry[] {
    return this.#context.ledger.entries;
  }

  /** The names of the active skills, in the order of their activation. */
  get active(): readonly string[] {
    return [...this.#context.memory.active.keys()];
  }

  /** Calls the listener for each new entry of this type, or of every type with `*`; returns a function that stops it. */
  on<Type extends LedgerEvent["type"] | "*">(type: Type, listener: LedgerListener<Type>): () => void {
    return this.#context.ledger.on(type, listener as (entry: LedgerEntry) => void);
  }

  /**
   * What one request to a model needs: the catalog, the messages with the instructions that they invoke and what has
   * changed, and the tools. Turns of one session do not disturb each other.
   */
  turn(messages: readonly TurnMessage[], options: TurnOptions = {}): Promise<Turn> {
    return openTurn(this.#context, messages, options);
  }

  /** Gives a skill's instructions, and records that the conversation has them. */
  activate(name: string, options: ActivateOptions = {}): Promise<Activation> {
    return activate(this.#context, name, options);
  }

  /** Marks a skill as no longer active; false when it was not. */
  deactivate(name: string): Promise<boolean> {
    return deactivate(this.#context, name);
  }

  /** The text of one of a skill's files. */
  read(name: string, path: string, { signal }: Operation = {}): Promise<FileReading> {
    return read(this.#context, name, path, { signal });
  }

  /** The files of a skill. */
  list(name: string, directory = ".", { signal }: Operation = {}): Promise<readonly SkillFile[]> {
    const context = this.#context;
    const content = { "skillset.file.path": directory };
    return context.follow({ operation: "list", skill: name, content }, async () =>
      context.find(name, "model").files.list(directory, signal && { signal }),
    );
  }

  /** Calls one of a skill's tools. */
  call(name: string, tool: string, input: unknown, { signal }: Operation = {}): Promise<ToolResult> {
    return call(this.#context, name, tool, input, { signal });
  }

  /**
   * Goes on over this set, as after a reload, and with what the store has, as after another process served the
   * conversation. Active skills that changed or vanished are recorded.
   */
  async update(skillset: Skillset): Promise<void> {
    const { memory } = this.#context;
    this.#skillset = skillset;
    this.#context.skillset = skillset;
    await memory.load();
    if (await reviewActive(this.#context)) await memory.save();
  }
}
