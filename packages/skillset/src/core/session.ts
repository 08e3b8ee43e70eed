import { hostCall } from "./allowed-tools/judged-call.ts";
import { keepContext } from "./context-of.ts";
import { activate } from "./operations/activate-skill.ts";
import { call } from "./operations/call-skill-tool.ts";
import { deactivate } from "./operations/deactivate-skill.ts";
import { PREPARE_OPTIONS, type PrepareOptions, prepare } from "./operations/prepare-skill.ts";
import { read, readFile } from "./operations/read-skill-file.ts";
import { RUN_OPTIONS, type RunScriptOptions, run } from "./operations/run-skill-script.ts";
import { scriptHostOf } from "./operations/script-host-of.ts";
import { checkHooks } from "./script/check-hooks.ts";
import type { PrepareResult } from "./script/packages.ts";
import type { ScriptResult } from "./script/script.ts";
import type { Activation } from "./session/activation.ts";
import { checkCall, type ToolDecision } from "./session/check-call.ts";
import { SessionContext } from "./session/context.ts";
import type { LedgerEntry, LedgerEvent, LedgerListener } from "./session/ledger.ts";
import type { ActivateOptions, FileContent, FileReading, Operation, SessionOptions } from "./session/options.ts";
import { reviewActive } from "./session/review-active.ts";
import type { OutputFiles } from "./session/script-host.ts";
import type { SkillFile } from "./skill/skill.ts";
import type { Skillset } from "./skillset.ts";
import { checkOptions, type OptionTable } from "./text/check-options.ts";
import { checkKind, checkText } from "./text/describe-value.ts";
import type { ToolResult } from "./tool/call-tool.ts";
import { openTurn, type Turn, type TurnMessage, type TurnOptions } from "./turn/turn.ts";

/** One conversation over a skillset: the active skills, a ledger of events, and the content of each model request. */
export class Session {
  readonly #context: SessionContext;
  #skillset: Skillset;

  /** Use `skillset.session()` instead: it also restores the state from the store. */
  constructor(skillset: Skillset, options: SessionOptions = {}) {
    this.#skillset = skillset;
    this.#context = new SessionContext(skillset, options);
    keepContext(this, this.#context);
  }

  /** The id of the session, and its key in the store. */
  get id(): string {
    return this.#context.id;
  }

  /** The session's current skillset. */
  get skillset(): Skillset {
    return this.#skillset;
  }

  /** Every event of the session, oldest first. */
  get ledger(): readonly LedgerEntry[] {
    return this.#context.ledger.entries;
  }

  /** The names of the active skills, in activation order. */
  get active(): readonly string[] {
    return [...this.#context.memory.active.keys()];
  }

  /** Calls the listener for each new entry of this type, or of any type with `*`. Returns a function that unsubscribes. */
  on<Type extends LedgerEvent["type"] | "*">(type: Type, listener: LedgerListener<Type>): () => void {
    return this.#context.ledger.on(type, listener as (entry: LedgerEntry) => void);
  }

  /**
   * Prepares one model request: the catalog, the messages with invoked instructions and change notices, and the tools.
   * Turns of one session are independent of each other.
   */
  turn(messages: readonly TurnMessage[], options: TurnOptions = {}): Promise<Turn> {
    return openTurn(this.#context, messages, options);
  }

  /** Returns a skill's instructions and marks the skill as active. */
  async activate(name: string, options: ActivateOptions = {}): Promise<Activation> {
    checkText("activate()", SKILL, name);
    checkOptions("activate()", options, ACTIVATE_OPTIONS);
    return activate(this.#context, name, options);
  }

  /** Marks a skill as inactive. Returns false if it was not active. */
  deactivate(name: string): Promise<boolean> {
    return deactivate(this.#context, name);
  }

  /** Reads one of a skill's files as text. Throws for a binary file. */
  async read(name: string, path: string, options: Operation = {}): Promise<FileReading> {
    checkText("read()", SKILL, name);
    checkText("read()", "the path of a file", path);
    checkOptions("read()", options, OPERATION_OPTIONS);
    return read(this.#context, name, path, options);
  }

  /** Reads one of a skill's files with all of its bytes. */
  async readFile(name: string, path: string, options: Operation = {}): Promise<FileContent> {
    checkText("readFile()", SKILL, name);
    checkText("readFile()", "the path of a file", path);
    checkOptions("readFile()", options, OPERATION_OPTIONS);
    return readFile(this.#context, name, path, options);
  }

  /** Lists a skill's files. */
  async list(name: string, directory = ".", options: Operation = {}): Promise<readonly SkillFile[]> {
    checkText("list()", SKILL, name);
    checkOptions("list()", options, OPERATION_OPTIONS);
    const { signal } = options;
    const context = this.#context;
    const content = { "skillset.file.path": directory };
    return context.follow({ operation: "list", skill: name, content }, async () =>
      context.find(name, "model").files.list(directory, signal && { signal }),
    );
  }

  /** Calls one of a skill's tools. */
  async call(name: string, tool: string, input: unknown, options: Operation = {}): Promise<ToolResult> {
    checkText("call()", SKILL, name);
    checkText("call()", "the name of a tool", tool);
    checkOptions("call()", options, OPERATION_OPTIONS);
    return call(this.#context, name, tool, input, options);
  }

  /**
   * Runs one of a skill's scripts, after consent. A script that fails or reaches a limit is a result, not an error.
   * Needs the option `scripts` of `createSkillset`.
   */
  async run(name: string, script: string, options: RunScriptOptions = {}): Promise<ScriptResult> {
    checkText("run()", SKILL, name);
    checkText("run()", "the path of a script", script);
    checkOptions("session.run()", options, RUN_OPTIONS);
    checkHooks(options);
    return run(this.#context, name, script, { by: "host", ...options });
  }

  /**
   * Installs the packages that a skill declares in `requirements.txt`, `package.json` or its Python scripts, after
   * consent. Its scripts find them from then on, in every session. Needs the option `scripts` of `createSkillset`.
   */
  async prepare(name: string, options: PrepareOptions = {}): Promise<PrepareResult> {
    checkText("prepare()", SKILL, name);
    checkOptions("session.prepare()", options, PREPARE_OPTIONS);
    checkHooks(options);
    return prepare(this.#context, name, options);
  }

  /**
   * Checks a call of one of your tools against `allowed-tools` and `disallowed-tools` of the active skills. The
   * adapters call it for you. Operations and tools of skills are checked when they run.
   * @example
   * ```ts
   * import { createSkillset } from "skillset";
   *
   * const skillset = await createSkillset(["./skills"], { allowedTools: "enforce", toolNames: { Bash: "shell" } });
   * const session = await skillset.session();
   * const decision = session.checkTool("shell", { command: "git status" });
   * if (!decision.allowed) console.log(decision.message);
   * ```
   */
  checkTool(tool: string, input?: unknown, options: { readonly cwd?: string } = {}): ToolDecision {
    checkOptions("checkTool()", options, { cwd: true });
    const context = this.#context;
    return checkCall(context, hostCall(tool, input, context.toolRules.toolNames), options.cwd);
  }

  /** The files that scripts of this session wrote or find in `$OUTPUT_DIR`. Throws if no runner is configured. */
  get outputs(): OutputFiles {
    return scriptHostOf(this.#context).outputs(this.#context.id);
  }

  /**
   * Switches to another skillset, for example after a reload, and loads the latest state from the store, for example
   * after another process served the conversation. Requests contain no text of a skill that the skillset lacks; when it
   * returns, it is active again. Records active skills that changed or are missing.
   */
  async update(skillset: Skillset): Promise<void> {
    checkKind("The argument of update()", "skillset", skillset);
    const { memory } = this.#context;
    this.#skillset = skillset;
    this.#context.skillset = skillset;
    memory.review((name) => skillset.has(name));
    await memory.load();
    await this.#context.findScripts();
    await reviewActive(this.#context);
  }
}

const SKILL = "the name of a skill";
const OPERATION_OPTIONS: OptionTable<Operation> = { signal: true };
const ACTIVATE_OPTIONS: OptionTable<ActivateOptions> = { by: true, arguments: true, signal: true };
