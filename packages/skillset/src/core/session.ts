import { CONVERSATION } from "./conversation-of.ts";
import { activate } from "./operations/activate-skill.ts";
import { call } from "./operations/call-skill-tool.ts";
import { deactivate } from "./operations/deactivate-skill.ts";
import type { Activation } from "./session/activation.ts";
import { checkHostCall, type ToolDecision } from "./session/check-call.ts";
import type { Conversation } from "./session/conversation.ts";
import { readOnlyLedger, type SessionLedger } from "./session/ledger.ts";
import type { ActivateOptions, Operation } from "./session/options.ts";
import { SessionFiles } from "./session-files.ts";
import { SessionScripts } from "./session-scripts.ts";
import type { Skillset } from "./skillset.ts";
import { checkOptions, type OptionTable } from "./text/check-options.ts";
import { checkKind, checkText } from "./text/describe-value.ts";
import type { ToolResult } from "./tool/call-tool.ts";
import { openTurn, type Turn, type TurnMessage, type TurnOptions } from "./turn/turn.ts";

/** One conversation over a skillset: the active skills, a ledger of events, and the content of each model request. */
export class Session {
  /** Every event of the session. */
  readonly ledger: SessionLedger;
  /** Runs scripts of skills, installs their packages, and has the files that they wrote. */
  readonly scripts: SessionScripts;
  readonly #conversation: Conversation<Skillset>;

  /** Use `skillset.session()`. */
  constructor(conversation: Conversation<Skillset>) {
    this.#conversation = conversation;
    this.ledger = readOnlyLedger(conversation.resources.ledger);
    this.scripts = new SessionScripts(conversation);
  }

  /** @internal */
  get [CONVERSATION](): Conversation<Skillset> | undefined {
    return #conversation in this ? this.#conversation : undefined;
  }

  /** The id of the session, and its key in the store. */
  get id(): string {
    return this.#conversation.id;
  }

  /** The session's current skillset. */
  get skillset(): Skillset {
    return this.#conversation.skillset;
  }

  /** The names of the active skills, in activation order. */
  get active(): readonly string[] {
    return [...this.#conversation.memory.active.keys()];
  }

  /**
   * Prepares one model request: the catalog, the messages with invoked instructions and change notices, and the tools.
   * Turns of one session are independent of each other.
   */
  turn(messages: readonly TurnMessage[], options: TurnOptions = {}): Promise<Turn> {
    return openTurn(this.#conversation, messages, options);
  }

  /** Returns a skill's instructions and marks the skill as active. */
  async activate(name: string, options: ActivateOptions = {}): Promise<Activation> {
    checkText("activate()", SKILL, name);
    checkOptions("activate()", options, ACTIVATE_OPTIONS);
    return activate(this.#conversation, name, options);
  }

  /** Marks a skill as inactive. Returns false if it was not active. */
  deactivate(name: string): Promise<boolean> {
    return deactivate(this.#conversation, name);
  }

  /** The files of a skill, to `read` and to `list`. A skill that does not exist is an error of these two. */
  files(name: string): SessionFiles {
    checkText("files()", SKILL, name);
    return new SessionFiles(this.#conversation, name);
  }

  /** Calls one of a skill's tools. */
  async call(name: string, tool: string, input: unknown, options: Operation = {}): Promise<ToolResult> {
    checkText("call()", SKILL, name);
    checkText("call()", "the name of a tool", tool);
    checkOptions("call()", options, OPERATION_OPTIONS);
    return call(this.#conversation, name, tool, input, options);
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
    return checkHostCall(this.#conversation, tool, input, options.cwd);
  }

  /**
   * Switches to another skillset, for example after a reload, and loads the latest state from the store, for example
   * after another process served the conversation. Requests contain no text of a skill that the skillset lacks; when it
   * returns, it is active again. Records active skills that changed or are missing.
   */
  async use(skillset: Skillset): Promise<void> {
    checkKind("The argument of use()", "skillset", skillset);
    await this.#conversation.use(skillset);
  }
}

const SKILL = "the name of a skill";
const OPERATION_OPTIONS: OptionTable<Operation> = { signal: true };
const ACTIVATE_OPTIONS: OptionTable<ActivateOptions> = { by: true, arguments: true, signal: true };
