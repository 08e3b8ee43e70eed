import { AsyncResource } from "node:async_hooks";
import type { RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import { acpProgramCalled } from "../../agents/find-agent.ts";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import type { Session } from "../../core/session.ts";
import { aroundCalls } from "../../core/tool/model-tool.ts";
import { resultIn } from "../../core/tool/result-in.ts";
import { ResultSlot } from "../../core/tool/result-slot.ts";
import { missingResult } from "../../core/tool/return-result.ts";
import type { TurnMessage } from "../../core/turn/turn.ts";
import type { AgentCallbacks, AgentSession } from "../bridge/agent-session.ts";
import type { AgentOptions } from "../options/agent-options.ts";
import type { RunListener } from "../options/run-listener.ts";
import type { ThinkPlan } from "../options/think-plan.ts";
import { checkEnd } from "./check-end.ts";
import { followSkills } from "./follow-skills.ts";
import { PermissionAnswers } from "./permissions/permission-answers.ts";
import { SkillReads } from "./permissions/skill-reads.ts";
import { assemblePrompt, remindOfResult, type ToolStyle, tellResults } from "./prompt/assemble-prompt.ts";
import { readParts } from "./prompt/prompt-parts.ts";
import { type AgentHistory, offerSkills } from "./prompt/skill-offer.ts";
import { takeTurn } from "./take-turn.ts";
import { callAnnounced } from "./tools/announced-calls.ts";
import { RunTools } from "./tools/run-tools.ts";
import { AgentUpdates } from "./updates/agent-updates.ts";
import { AnswerText } from "./updates/answer-text.ts";

export interface RunOptions extends RunListener {
  /** The session with the agent. */
  readonly session: AgentSession;
  /** The conversation with the skills of the run. */
  readonly skills: Session;
  readonly memory: RunMemory;
  /** The absolute working folder of the run. */
  readonly cwd: string;
  /** Aborted when the run must end early, for any reason. */
  readonly signal: AbortSignal;
  /** The options of the agent. */
  readonly agent: AgentOptions;
}

/** What a run must know about the runs before it. */
export interface RunMemory extends AgentHistory {
  /** Whether the agent has announced tool calls instead of calling the tools itself. */
  readonly isAnnouncing: boolean;
}

export const FIRST_RUN: RunMemory = { messages: [], instructions: "", isAnnouncing: false };

/** How a run ended, and what the next one must know. */
export interface RunOutcome {
  readonly result: PromiseSettledResult<unknown>;
  readonly memory: RunMemory;
}

/** Performs one request to an agent, from the prompt to the result. */
export async function performRun(plan: ThinkPlan, options: RunOptions): Promise<RunOutcome> {
  const run = new Run(plan, options);
  const [result] = await Promise.allSettled([run.perform()]);
  return { result, memory: run.memory };
}

class Run implements AgentCallbacks {
  readonly signal: AbortSignal;
  readonly #plan: ThinkPlan;
  readonly #options: RunOptions;
  readonly #slot: ResultSlot | undefined;
  readonly #tools: RunTools;
  readonly #permissions: PermissionAnswers;
  /** The skills of the prompt that the agent loads itself. */
  readonly #reads: SkillReads | undefined;
  readonly #updates = new AgentUpdates();
  readonly #answer = new AnswerText();
  /** Spans of tools get the caller's span as their parent. */
  readonly #caller = new AsyncResource("skillset-run");
  #memory: RunMemory;
  /** Whether the agent has called our tools over MCP. */
  #isCalling = false;
  #isReminded = false;

  constructor(plan: ThinkPlan, options: RunOptions) {
    const { session, skills, agent, cwd, signal, emit, memory } = options;
    const { schema, permissions, prompt } = plan;
    this.signal = signal;
    this.#plan = plan;
    this.#options = options;
    this.#memory = memory;
    const refuse = (issues: readonly string[], attemptsLeft: number): void =>
      emit({ type: "result-refused", issues, attemptsLeft });
    this.#slot = schema && new ResultSlot(schema, refuse);
    this.#reads = prompt && new SkillReads(prompt, { skills, cwd, agent: session.agent });
    const tools = () => [...this.#tools.operations, ...this.#tools.listed];
    this.#permissions = new PermissionAnswers({ permissions, skills, reads: this.#reads, tools, cwd, signal, emit });
    const { consent } = this.#permissions;
    const onInstructions = (text: string): void => this.#remember({ role: "tool", text });
    this.#tools = new RunTools(plan, { skills, agent, session, slot: this.#slot, consent, onInstructions });
  }

  get memory(): RunMemory {
    return this.#memory;
  }

  async perform(): Promise<unknown> {
    const { session, skills, cwd } = this.#options;
    // Read the files before contacting the agent: a missing file is the caller's mistake.
    const textWith = await readParts(this.#plan.parts, cwd, this.signal);
    const unfollow = followSkills(skills.ledger, this.#options);
    try {
      return await session.serve(this, async () => {
        this.#tools.nameInPrompt();
        const { prompt, instructions } = await this.#firstPrompt(textWith(this.#tools.prompt?.text ?? ""));
        return this.#converse(prompt, instructions);
      });
    } finally {
      await this.#reads?.recorded;
      unfollow();
    }
  }

  async #firstPrompt(written: string): Promise<{ readonly prompt: string; readonly instructions: string }> {
    const { session, skills, agent, emit } = this.#options;
    const { live, failed, naming } = session;
    const given = { skills, history: this.#memory, hasTools: live !== undefined, naming };
    const offer = await offerSkills(given, written, agent, this.signal);
    const hasSkills = skills.skillset.size > 0;
    if (live !== undefined || failed.length > 0 || hasSkills || this.#tools.listed.length > 0) {
      const bridge = live ?? (hasSkills ? (agent.inject ? "inject" : "file-read") : "announced");
      emit({ type: "bridge-chosen", bridge, failed, unreachable: offer.unreachable });
    }
    const prompt = assemblePrompt({
      skills: offer.skills,
      system: this.#plan.system,
      text: offer.text,
      tools: this.#tools.described,
      slot: this.#slot,
      style: this.#style,
      naming,
    });
    return { prompt, instructions: offer.instructions };
  }

  /** Sends prompts until the agent has answered. */
  async #converse(first: string, instructions: string): Promise<unknown> {
    const { session } = this.#options;
    let prompt = first;
    for (let round = 0; round < LIMITS.agent.rounds; round += 1) {
      this.signal.throwIfAborted();
      this.#answer.clear();
      this.#remember({ role: "user", text: prompt });
      this.#memory = { ...this.#memory, instructions };
      const stopReason = await takeTurn(session, prompt, { slot: this.#slot, signal: this.signal });
      const results = stopReason === "end_turn" ? await this.#callAnnounced() : [];
      if (this.#isSettled) return this.#result();
      if (results.length > 0) {
        prompt = tellResults(results);
        continue;
      }
      checkEnd(stopReason, this.#permissions.lastDenied);
      if (this.#slot === undefined) return this.#response(this.#answer.text);
      prompt = await this.#goOnWithout(this.#slot);
      if (this.#isSettled) return this.#result();
    }
    throw new SkillError("agent-failed", `The agent did not finish within ${LIMITS.agent.rounds} prompts.`);
  }

  /** Calls the tools that the agent has announced, if it calls none itself. */
  async #callAnnounced(): Promise<readonly { tool: string; text: string }[]> {
    const { emit, session } = this.#options;
    if (session.live !== undefined || this.#isCalling || this.#isSettled) return [];
    const before = (): void => {
      if (this.#memory.isAnnouncing) return;
      this.#memory = { ...this.#memory, isAnnouncing: true };
      emit({ type: "bridge-chosen", bridge: "announced", failed: session.failed, unreachable: [] });
    };
    const given = { updates: this.#updates, tools: this.#tools.every, refused: this.#permissions.denied };
    return callAnnounced({ ...given, signal: this.signal, before, emit });
  }

  /** The turn ended without a result: takes it from the answer, or returns the next prompt. */
  async #goOnWithout(slot: ResultSlot): Promise<string> {
    const written = this.#style === "untold" ? resultIn(this.#answer.text) : undefined;
    if (written !== undefined) return (await slot.offer({ result: written.value }, true)).text;
    if (this.#isReminded)
      throw slot.refusal === undefined ? missingResult("agent", this.#answer.text, this.#whyNoTools()) : slot.giveUp();
    this.#isReminded = true;
    return remindOfResult(slot, this.#style, this.#options.session.naming);
  }

  /** Why the agent may have had no tool for its result; empty if it had one. */
  #whyNoTools(): string {
    const { live, failed, agent } = this.#options.session;
    if (live !== undefined) return "";
    const tried = failed.length === 0 ? "" : ` over ${failed.join(" or ")}`;
    const { withoutMcp = "" } = acpProgramCalled(agent) ?? {};
    return [`It did not use our tools${tried}, so its answer had to be JSON.`, withoutMcp].filter(Boolean).join(" ");
  }

  /** Whether a result was accepted, or no further one can be. */
  get #isSettled(): boolean {
    return this.#slot?.value !== undefined || this.#slot?.failure !== undefined;
  }

  #result(): unknown {
    if (this.#slot?.failure !== undefined) throw this.#slot.failure;
    return this.#response(this.#slot?.value?.value);
  }

  /** The result of a prompt of sections has the same form with every evaluator. */
  #response(value: unknown): unknown {
    const { prompt } = this.#tools;
    if (prompt === undefined) return value;
    return prompt.respond(this.#answer.text, this.#slot === undefined ? undefined : value);
  }

  get #style(): ToolStyle {
    if (this.#options.session.live === undefined) return "untold";
    return this.#plan.isLasting ? "dispatched" : "own";
  }

  #remember(message: TurnMessage): void {
    this.#memory = { ...this.#memory, messages: [...this.#memory.messages, message] };
  }

  operations(): readonly ModelTool[] {
    return this.#tools.operations.map((tool) => this.#asCalled(tool));
  }

  tools(): readonly ModelTool[] {
    return this.#tools.listed.map((tool) => this.#asCalled(tool));
  }

  /** A tool as the agent calls it over MCP: until the run ends, with the caller's span as the parent of its spans. */
  #asCalled(tool: ModelTool): ModelTool {
    return aroundCalls(tool, (execute) => (input, { signal } = {}) => {
      this.#isCalling = true;
      const until = signal ? AbortSignal.any([signal, this.signal]) : this.signal;
      return this.#caller.runInAsyncScope(() => execute(input, { signal: until }));
    });
  }

  onUpdate(update: SessionUpdate): void {
    const event = this.#updates.eventOf(update);
    if (event === undefined) return;
    this.#answer.add(event);
    if (event.type === "tool-done" && event.outcome === "succeeded")
      this.#reads?.note(this.#updates.with({ toolCallId: event.id }));
    this.#options.emit(event);
  }

  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    return this.#permissions.answer(request, this.#updates.with(request.toolCall));
  }
}
