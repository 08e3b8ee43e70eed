import type { RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { ModelTool } from "../../core/tool/model-tool.ts";

import type { ActiveRun, AgentConversation } from "../bridge/conversation.ts";
import { announcedToolOf, argumentNames, ownToolOf } from "../bridge/own-tools.ts";
import type { AgentLink } from "../link/agent-link.ts";
import { within } from "../link/within.ts";
import type { AgentOptions } from "../plan/agent-options.ts";
import { decide } from "../plan/permissions.ts";
import type { ThinkEvent } from "../plan/think-event.ts";
import type { ThinkPlan } from "../plan/think-plan.ts";
import { AgentUpdates } from "./agent-updates.ts";
import { assemblePrompt, remindOfResult, resultIn, type ToolStyle, tellResults } from "./prompt.ts";
import { readParts } from "./prompt-parts.ts";
import { ResultSlot } from "./result-slot.ts";
import { offerSkills } from "./skill-offer.ts";
import { dispatchedTools, ownTools } from "./think-tools.ts";

export interface RunOptions {
  readonly link: AgentLink;
  readonly conversation: AgentConversation;
  /** The skills that were attached for this run. */
  readonly skillset: Skillset;
  readonly cwd: string;
  /** Aborted when the run is to end early, for whatever reason. */
  readonly signal: AbortSignal;
  readonly agent: AgentOptions;
  readonly emit: (event: ThinkEvent) => void;
}

/** One request to an agent, from the prompt to the result. */
export class Run implements ActiveRun {
  readonly signal: AbortSignal;
  readonly tools: readonly ModelTool[];
  readonly #plan: ThinkPlan;
  readonly #options: RunOptions;
  readonly #slot: ResultSlot | undefined;
  readonly #updates = new AgentUpdates();
  #answer = "";
  #isSuperseded = false;
  #isReminded = false;
  /** What the agent was not allowed last. */
  #refused = "";
  readonly #refusedCalls = new Set<string>();

  constructor(plan: ThinkPlan, options: RunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.signal = options.signal;
    this.#slot =
      plan.schema &&
      new ResultSlot(plan.schema, (issues, attemptsLeft) =>
        options.emit({ type: "result-refused", issues, attemptsLeft }),
      );
    const serve = options.conversation.isLasting ? dispatchedTools : ownTools;
    this.tools = serve(plan.tools, this.#slot);
  }

  async perform(): Promise<unknown> {
    const { conversation, cwd, emit } = this.#options;
    // Before the agent is asked for anything: what is missing is the caller's mistake.
    const text = await readParts(this.#plan.parts, cwd, this.signal);
    const unfollow = followSkills(conversation, emit);
    const callsBefore = conversation.calls;
    try {
      await conversation.begin(this);
      let prompt = await this.#prompt(text);
      for (let round = 0; round < LIMITS.agent.rounds; round += 1) {
        const stopReason = await this.#ask(prompt);
        const isAnnouncing = conversation.live === undefined && conversation.calls === callsBefore;
        const results =
          isAnnouncing && !this.#isSettled && stopReason === "end_turn" ? await this.#callAnnounced() : [];
        if (this.#isSettled) return this.#result();
        if (results.length > 0) {
          prompt = tellResults(results);
          continue;
        }
        checkEnd(stopReason, this.#refused);
        if (this.#slot === undefined) return this.#answer.trim();
        prompt = await this.#goOnWithout(this.#slot);
        if (this.#isSettled) return this.#result();
      }
      throw new SkillError("agent-failed", `The agent was not done after ${LIMITS.agent.rounds} prompts.`);
    } finally {
      unfollow();
      conversation.end();
    }
  }

  /** A result was accepted, or none will be any more. */
  get #isSettled(): boolean {
    return this.#slot?.value !== undefined || this.#slot?.failure !== undefined;
  }

  #result(): unknown {
    if (this.#slot?.failure !== undefined) throw this.#slot.failure;
    return this.#slot?.value?.value;
  }

  onUpdate(update: SessionUpdate): void {
    const event = this.#updates.eventOf(update);
    if (event === undefined) return;
    // What is said before a tool is used is not the answer yet, if anything is said afterwards.
    if (event.type.startsWith("tool-")) this.#isSuperseded = true;
    if (event.type === "message") {
      this.#answer = this.#isSuperseded ? event.text : this.#answer + event.text;
      this.#isSuperseded = false;
    }
    // Bounded, because an agent may flood; but not at every chunk, as a slice copies all of it.
    if (this.#answer.length > 2 * LIMITS.agent.answerCharacters)
      this.#answer = this.#answer.slice(-LIMITS.agent.answerCharacters);
    this.#options.emit(event);
  }

  async onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const call = this.#updates.with(request.toolCall);
    const served = [...this.#options.conversation.operations(), ...this.tools];
    const isOwn = ownToolOf(call, argumentNames(served)) !== undefined;
    const decision = await decide({ ...request, toolCall: call }, this.#plan.permissions ?? {}, {
      signal: this.signal,
      isOwn,
    });
    const { title, kind } = decision.request;
    if (!isOwn) this.#options.emit({ type: "permission-decided", title, kind, allowed: decision.allowed });
    if (!decision.allowed) {
      this.#refused = title;
      this.#refusedCalls.add(call.toolCallId);
    }
    return decision.response;
  }

  async #prompt(written: string): Promise<string> {
    const { conversation, skillset, agent, emit } = this.#options;
    const { live, failed } = conversation;
    const { skills, text, unreachable } = await offerSkills(conversation, written, agent, this.signal);
    if (live !== undefined || failed.length > 0 || skillset.size > 0 || this.tools.length > 0) {
      const bridge = live ?? (skillset.size === 0 ? "announced" : agent.inject ? "inject" : "file-read");
      emit({ type: "bridge-chosen", bridge, failed, unreachable });
    }
    const { system, tools, unlisted } = this.#plan;
    return assemblePrompt({
      skills,
      system,
      text,
      tools: tools.filter(({ name }) => !unlisted.has(name)),
      slot: this.#slot,
      style: this.#style,
      naming: conversation.naming,
    });
  }

  get #style(): ToolStyle {
    const { live, isLasting } = this.#options.conversation;
    return live === undefined ? "untold" : isLasting ? "dispatched" : "own";
  }

  /** Sends a prompt and waits for the end of the turn; or of the patience with it. */
  async #ask(prompt: string): Promise<string> {
    const { conversation } = this.#options;
    this.signal.throwIfAborted();
    this.#answer = "";
    const asked = conversation.prompt(prompt);
    asked.catch(() => {});
    try {
      const settled = this.#slot?.settled.then(() => undefined) ?? new Promise<undefined>(() => {});
      const ended = await untilAborted(this.signal, Promise.race([asked, settled]));
      if (ended !== undefined) return ended.stopReason;
      // It has given its result, and may say a few more words.
      const patience = this.#slot?.failure === undefined ? LIMITS.agent.lastWordsTime : 0;
      const late = await within(patience, untilAborted(this.signal, asked));
      if (late === undefined) await this.#cancel(asked);
      return late?.stopReason ?? "end_turn";
    } catch (error) {
      if (this.signal.aborted) await this.#cancel(asked);
      // A result that was accepted is one, whatever becomes of the agent.
      if (this.#slot?.value !== undefined) return "end_turn";
      throw error;
    }
  }

  /** An agent that goes on though it was told to stop works for nobody, and is ended, if nobody else needs it. */
  async #cancel(asked: Promise<unknown>): Promise<void> {
    const { conversation, link } = this.#options;
    conversation.cancel();
    // With its result in hand, nobody waits for the end of its words.
    if (this.#slot?.value !== undefined) return;
    const ended = asked.then(
      () => true,
      () => true,
    );
    if ((await within(LIMITS.agent.cancelTime, ended)) === undefined && link.users === 1)
      await link.abandon(new SkillError("agent-failed", "The agent went on after it was told to stop, and was ended."));
  }

  /** Calls what the agent said it wants called, when it does not call anything by itself. */
  async #callAnnounced(): Promise<readonly { tool: string; text: string }[]> {
    const { emit, conversation } = this.#options;
    const tools = this.#everyTool();
    const results: { tool: string; text: string }[] = [];
    for (const call of this.#updates.open) {
      const name = announcedToolOf(call, argumentNames(tools));
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined || this.#refusedCalls.has(call.toolCallId)) continue;
      if (results.length === 0 && !conversation.isAnnounced) {
        conversation.isAnnounced = true;
        emit({ type: "bridge-chosen", bridge: "announced", failed: conversation.failed, unreachable: [] });
      }
      const { text, isError } = await tool.execute(call.rawInput ?? {}, { signal: this.signal });
      const status = isError ? "failed" : "completed";
      emit(
        this.#updates.note({
          toolCallId: call.toolCallId,
          status,
          content: [{ type: "content", content: { type: "text", text } }],
        }),
      );
      results.push({ tool: tool.name, text });
    }
    this.signal.throwIfAborted();
    return results;
  }

  /** The turn is over and there is no result: takes it from the answer, or gives what to say next. */
  async #goOnWithout(slot: ResultSlot): Promise<string> {
    const written = this.#style === "untold" ? resultIn(this.#answer) : undefined;
    if (written !== undefined) return (await slot.offer({ result: written.value }, true)).text;
    if (this.#isReminded) throw slot.refusal === undefined ? missingResult(this.#answer) : slot.giveUp();
    this.#isReminded = true;
    return remindOfResult(slot, this.#style, this.#options.conversation.naming);
  }

  /** However they are called: by their own names, or through the dispatcher. */
  #everyTool(): readonly ModelTool[] {
    const { tools } = this.#plan;
    const [callTool] = dispatchedTools(tools, this.#slot);
    return [
      ...this.#options.conversation.operations(),
      ...ownTools(tools, this.#slot),
      ...(callTool ? [callTool] : []),
    ];
  }
}

function followSkills({ session }: AgentConversation, emit: (event: ThinkEvent) => void): () => void {
  const stops = [
    session.on("skill-activated", ({ skill, tokens }) => emit({ type: "skill-activated", skill, tokens })),
    session.on("file-read", ({ skill, path, bytes }) => emit({ type: "skill-file-read", skill, path, bytes })),
    session.on("tool-called", ({ skill, tool, outcome }) => emit({ type: "skill-tool-called", skill, tool, outcome })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function checkEnd(stopReason: string, refused: string): void {
  const why = Object.hasOwn(ENDINGS, stopReason) ? ENDINGS[stopReason] : undefined;
  if (why === undefined) return;
  // Some agents end their turn when they are refused something.
  const after = stopReason === "cancelled" && refused !== "" ? `, after it was not allowed: ${refused}` : "";
  throw new SkillError("agent-failed", `The agent stopped before it was done: ${why}${after}.`);
}

const ENDINGS: Readonly<Record<string, string>> = {
  refusal: "it refused to go on",
  max_tokens: "its model reached its limit of tokens",
  max_turn_requests: "it reached its limit of requests in one turn",
  cancelled: "it says that the turn was cancelled",
};

function missingResult(answer: string): SkillError {
  const said = answer.trim() === "" ? "It said nothing." : `It said: ${answer.trim().slice(-300)}`;
  return new SkillError("result-missing", `The agent ended its turn without calling \`return_result\`. ${said}`);
}
