import { LIMITS } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { outputsOf } from "../../core/host/outputs-of.ts";
import { operationsIn } from "../../core/in-session.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import type { ConsentAnswer, ConsentRequest } from "../../core/script/script.ts";
import type { Session } from "../../core/session.ts";
import { aroundCalls } from "../../core/tool/model-tool.ts";
import type { TurnMessage } from "../../core/turn/turn.ts";
import { namingOf } from "../bridge/tool-naming.ts";
import { within } from "../link/deadline.ts";
import { type AgentHistory, offerSkills } from "../run/prompt/skill-offer.ts";
import { type Fields, fieldsOf, textOf } from "./message.ts";
import { OwnCalls } from "./own-calls.ts";
import { type AskEditor, askForScript } from "./script-consent.ts";
import type { SkillBridge } from "./skill-bridge.ts";
import { commandIn, commandNames } from "./slash-commands.ts";
import { wrapContext } from "./transcript.ts";

export interface ProxySessionOptions {
  readonly agent: string;
  readonly skills: Session;
  readonly bridge: SkillBridge | undefined;
  /** The skills whose scripts run without a question. */
  readonly allowScripts: readonly string[];
  readonly ask: AskEditor;
  /** How long the agent may take to list the tools after it opened the session, in milliseconds. */
  readonly bridgeTimeout: number;
}

/** One session of the editor: what the agent is told about skills, and the tools that it calls. */
export class ProxySession {
  readonly skills: Session;
  readonly calls = new OwnCalls();
  readonly #options: ProxySessionOptions;
  #history: AgentHistory = { messages: [], instructions: "" };
  #announced: readonly unknown[] = [];
  #id = "";
  #openedAt = Date.now();
  #turn = new AbortController();
  #prompts = 0;

  constructor(options: ProxySessionOptions) {
    this.#options = options;
    this.skills = options.skills;
    options.bridge?.serve(() => this.tools());
  }

  /** Whether the agent has listed the tools. */
  get hasTools(): boolean {
    return this.#options.bridge?.isListed === true;
  }

  /** The session's ID; empty until the agent has opened it. */
  get id(): string {
    return this.#id;
  }

  /** The commands of the agent itself. */
  get announced(): readonly unknown[] {
    return this.#announced;
  }

  /** The agent has announced its commands. */
  announce(commands: readonly unknown[]): void {
    this.#announced = commands;
  }

  /** The agent has opened the session. It may take a while to connect to the server. */
  opened(id: string): void {
    this.#id = id;
    this.#openedAt = Date.now();
  }

  /** The skills, as tools for the agent. */
  tools(): readonly ModelTool[] {
    return operationsIn(this.skills, { fixedList: true }).map((operation) =>
      aroundCalls(operation, (execute) => async (input, { signal } = {}) => {
        const turn = this.#turn.signal;
        const scripts = { consent: this.#consent, grants: false };
        const options = { signal: signal ? AbortSignal.any([signal, turn]) : turn, scripts };
        const result = await execute(input, options);
        if (operation.id === "activate_skill" && !result.isError) this.#remember({ role: "tool", text: result.text });
        return result;
      }),
    );
  }

  /**
   * Returns the content of a prompt with what the agent must know about skills in front of it; undefined if the prompt
   * stays as it is. Commands of the agent reach it unchanged.
   */
  async prompt(content: readonly unknown[], signal: AbortSignal): Promise<readonly unknown[] | undefined> {
    this.#prompts += 1;
    this.takeCalls();
    const first = fieldsOf(content[0]);
    const typed = first.type === "text" ? textOf(first.text) : "";
    const command = commandIn(typed);
    const isSkill = command !== undefined && this.skills.skillset.get(command)?.userInvocable === true;
    if (command !== undefined && (!isSkill || commandNames(this.announced).has(command))) return undefined;
    await this.#waitForTools(signal);
    const { skills: conversation, hasTools } = this;
    const naming = namingOf(this.#options.agent, { hasMcp: hasTools });
    const given = { skills: conversation, history: this.#history, hasTools, naming };
    const { skills, before, words, instructions } = await offerSkills(given, typed, {}, signal);
    const texts = [skills, ...before].filter((text) => text !== "");
    const names = words === typed ? "" : typed.slice(0, typed.trimEnd().length - words.length);
    const shown = texts.length === 0 ? "" : wrapContext(texts.join("\n\n"), names);
    this.#remember({ role: "user", text: [shown, words].filter(Boolean).join("\n\n") });
    this.#history = { ...this.#history, instructions };
    if (shown === "") return undefined;
    const own = { type: "text", text: shown };
    if (words === typed) return [own, ...content];
    return [own, ...(words === "" ? [] : [{ ...first, text: words }]), ...content.slice(1)];
  }

  /** From now on, the tools of the server are those of this session. */
  takeCalls(): void {
    this.#options.bridge?.serve(() => this.tools());
  }

  /** Whether other sessions use the same server. */
  get isSharing(): boolean {
    return this.#options.bridge?.isShared ?? false;
  }

  /** Whether the agent was told about skills, but cannot call the tools that it was given. */
  get isWithoutTools(): boolean {
    return this.#history.instructions !== "" && this.#options.bridge !== undefined && !this.hasTools;
  }

  /** The agent has answered a prompt. After an error, it may not have kept what it was told. */
  answered({ isError }: { readonly isError: boolean }): void {
    if (isError) this.#history = { ...this.#history, instructions: "" };
    this.#prompts = Math.max(0, this.#prompts - 1);
    if (this.#prompts === 0) this.endTurn();
  }

  /** Ends what the agent's calls have started. */
  endTurn(): void {
    this.#turn.abort();
    this.#turn = new AbortController();
    this.calls.clear();
  }

  /** Records what the agent reports about a call. A call of our tools belongs to the session that reports it. */
  note(call: Fields): void {
    this.calls.note(call);
    if (this.isSharing && this.calls.toolOf(call, this.tools()) !== undefined) this.takeCalls();
  }

  /** Whether a permission request is for one of our tools that needs no question, or that asks its own. */
  isOwn(toolCall: Fields): boolean {
    // A server of our name that the agent uses meanwhile is not ours.
    if (!this.hasTools) return false;
    const tools = this.tools();
    const name = this.calls.toolOf(toolCall, tools);
    const tool = tools.find((one) => one.name === name);
    return tool !== undefined && (tool.readOnly || tool.id === "run_skill_script");
  }

  async close(): Promise<void> {
    this.#turn.abort();
    const { id, skillset } = this.skills;
    outputsOf(skillset, id)?.remove();
    await this.#options.bridge?.release();
  }

  readonly #consent = async (request: ConsentRequest): Promise<ConsentAnswer> => {
    const { allowScripts, ask } = this.#options;
    if (allowScripts.includes(request.skill)) return "always";
    const callId = this.calls.find("run_skill_script", this.tools());
    return askForScript(request, ask, { sessionId: this.id, ...(callId !== undefined && { callId }) });
  };

  /** An agent that has not listed the tools in time is told to read files. */
  async #waitForTools(signal: AbortSignal): Promise<void> {
    const { bridge, bridgeTimeout } = this.#options;
    if (bridge === undefined || bridge.isListed) return;
    const left = this.#openedAt + bridgeTimeout - Date.now();
    if (left > 0) await within(left, untilAborted(signal, bridge.listed));
  }

  /** Bounded: a session can last for days. What is dropped is told again. */
  #remember(message: TurnMessage): void {
    const messages = [...this.#history.messages, message];
    let size = messages.reduce((sum, { text }) => sum + text.length, 0);
    while (size > LIMITS.agent.answerCharacters && messages.length > 1) size -= messages.shift()?.text.length ?? 0;
    this.#history = { ...this.#history, messages };
  }
}
