import { AsyncResource } from "node:async_hooks";
import type { RequestPermissionRequest, RequestPermissionResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import { acpProgramCalled } from "../../agents/find-agent.ts";
import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, LIMITS, NAMES } from "../../core/base/limits.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { describeLevel } from "../../core/script/describe-level.ts";
import type { ConsentAnswer, ConsentRequest } from "../../core/script/script.ts";
import type { Skillset } from "../../core/skillset.ts";
import { resultIn } from "../../core/tool/result-in.ts";
import { ResultSlot } from "../../core/tool/result-slot.ts";
import { missingResult } from "../../core/tool/return-result.ts";
import type { ActiveRun, AgentConversation } from "../bridge/conversation.ts";
import { argumentNames, ownToolOf } from "../bridge/own-tools.ts";
import type { AgentLink } from "../link/agent-link.ts";
import { within } from "../link/deadline.ts";
import type { AgentOptions } from "../options/agent-options.ts";
import { decide, isAllowed } from "../options/permissions.ts";
import type { RunListener } from "../options/run-listener.ts";
import type { ThinkPlan } from "../options/think-plan.ts";
import { AgentUpdates } from "./agent-updates.ts";
import { callAnnounced } from "./announced-calls.ts";
import { checkEnd } from "./check-end.ts";
import { followSkills } from "./follow-skills.ts";
import { assemblePrompt, describeTools, remindOfResult, type ToolStyle, tellResults } from "./prompt.ts";
import { readParts } from "./prompt-parts.ts";
import { outsideRequest } from "./requested-calls.ts";
import { offerSkills } from "./skill-offer.ts";
import { SkillReads } from "./skill-reads.ts";
import { startPrompt, withConsent } from "./start-prompt.ts";
import { checkNames, dispatchedTools, ownTools, promptOperations, promptTools, type RunTools } from "./think-tools.ts";

/** Options for `Run`. */
export interface RunOptions extends RunListener {
  /** The connection to the agent. */
  readonly link: AgentLink;
  /** The conversation that the run belongs to. */
  readonly conversation: AgentConversation;
  /** The skills attached to this run. */
  readonly skillset: Skillset;
  /** The absolute working folder of the run. */
  readonly cwd: string;
  /** Aborted when the run must end early, for any reason. */
  readonly signal: AbortSignal;
  /** The options of the agent. */
  readonly agent: AgentOptions;
}

/** One request to an agent, from the prompt to the result. */
export class Run implements ActiveRun {
  readonly signal: AbortSignal;
  readonly inContext: ActiveRun["inContext"];
  readonly #plan: ThinkPlan;
  readonly #options: RunOptions;
  readonly #slot: ResultSlot | undefined;
  readonly #tools: RunTools;
  readonly #updates = new AgentUpdates();
  /** The skills of the prompt that the agent loads itself. */
  readonly #reads: SkillReads | undefined;
  #answer = "";
  #isSuperseded = false;
  #isReminded = false;
  /** The title of the last denied request. */
  #refused = "";
  readonly #refusedCalls = new Set<string>();

  constructor(plan: ThinkPlan, options: RunOptions) {
    this.#plan = plan;
    this.#options = options;
    this.signal = options.signal;
    const caller = new AsyncResource("skillset-run");
    this.inContext = (work) => caller.runInAsyncScope(work);
    this.#slot =
      plan.schema &&
      new ResultSlot(plan.schema, (issues, attemptsLeft) =>
        options.emit({ type: "result-refused", issues, attemptsLeft }),
      );
    const { conversation, agent } = options;
    this.#tools = {
      tools: plan.tools,
      slot: this.#slot,
      skills: conversation.skills,
      prompt:
        plan.prompt &&
        startPrompt(plan.prompt, { skills: conversation.skills, agent, hasTools: conversation.hasBridges }),
      prepare: plan.prompt ? withConsent(plan.prompt, agent, this.consent) : (tool) => tool,
      offersSkills: conversation.operations().length > 0,
      describe: (tools) => describeTools(tools, "dispatched", conversation.naming),
    };
    const { link, cwd } = options;
    this.#reads = plan.prompt && new SkillReads(plan.prompt, { skills: conversation.skills, cwd, agent: link.name });
    checkNames(plan.tools, this.#tools.prompt);
  }

  /** More once the agent has opened sections of its prompt. */
  get tools(): readonly ModelTool[] {
    return this.#options.conversation.isLasting ? dispatchedTools(this.#tools) : ownTools(this.#tools);
  }

  /** The prompt's own operations on skills: the conversation's ones pass on names that they do not know. */
  get promptOperations(): readonly ModelTool[] {
    return promptOperations(this.#tools);
  }

  async perform(): Promise<unknown> {
    const { conversation, cwd } = this.#options;
    // Read the files before contacting the agent: a missing file is the caller's mistake.
    const textWith = await readParts(this.#plan.parts, cwd, this.signal);
    const unfollow = followSkills(conversation.skills.ledger, this.#options);
    const callsBefore = conversation.calls;
    try {
      await conversation.begin(this);
      const { prompt: sections } = this.#tools;
      sections?.nameTools(this.#naming());
      let prompt = await this.#prompt(textWith(sections?.text ?? ""));
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
        if (this.#slot === undefined) return this.#resultOf(this.#answer.trim());
        prompt = await this.#goOnWithout(this.#slot);
        if (this.#isSettled) return this.#result();
      }
      throw new SkillError("agent-failed", `The agent did not finish within ${LIMITS.agent.rounds} prompts.`);
    } finally {
      await this.#reads?.recorded;
      unfollow();
      conversation.end();
    }
  }

  /** Whether a result was accepted, or no further one can be. */
  get #isSettled(): boolean {
    return this.#slot?.value !== undefined || this.#slot?.failure !== undefined;
  }

  #result(): unknown {
    if (this.#slot?.failure !== undefined) throw this.#slot.failure;
    return this.#resultOf(this.#slot?.value?.value);
  }

  /** The result of a prompt of sections has the same form with every evaluator. */
  #resultOf(value: unknown): unknown {
    const { prompt } = this.#tools;
    if (prompt === undefined) return value;
    return prompt.respond(this.#answer.trim(), this.#slot === undefined ? undefined : value);
  }

  onUpdate(update: SessionUpdate): void {
    const event = this.#updates.eventOf(update);
    if (event === undefined) return;
    // Text before a tool call is replaced by the text after it, if there is any.
    if (event.type.startsWith("tool-")) this.#isSuperseded = true;
    if (event.type === "tool-done" && event.outcome === "succeeded")
      this.#reads?.note(this.#updates.with({ toolCallId: event.id }));
    if (event.type === "message") {
      this.#answer = this.#isSuperseded ? event.text : this.#answer + event.text;
      this.#isSuperseded = false;
    }
    // Bounded, because an agent may send endless output. Not trimmed on every chunk, because a slice copies the text.
    if (this.#answer.length > 2 * LIMITS.agent.answerCharacters)
      this.#answer = this.#answer.slice(-LIMITS.agent.answerCharacters);
    this.#options.emit(event);
  }

  async onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const call = this.#updates.with(request.toolCall);
    const { conversation, cwd, emit } = this.#options;
    // A skill that the agent has just read may restrict what it asks for now.
    await this.#reads?.recorded;
    const own = ownToolOf(call, argumentNames([...conversation.operations(), ...this.tools]));
    const isOwn = own !== undefined || this.#reads?.isLoading(call) === true;
    const conversations = this.#reads?.conversations ?? [conversation.skills];
    const reason = isOwn || this.#reads?.isReading(call) ? undefined : outsideRequest(conversations, call, cwd);
    const given = { signal: this.signal, isOwn, isOutside: reason !== undefined };
    const decision = await decide({ ...request, toolCall: call }, this.#plan.permissions ?? {}, given);
    const { title, kind } = decision.request;
    const { allowed } = decision;
    if (!isOwn) emit({ type: "permission-decided", title, kind, allowed, ...(reason && { reason }) });
    if (!allowed) {
      this.#refused = title;
      this.#refusedCalls.add(call.toolCallId);
    }
    return decision.response;
  }

  /** A script is a request like the agent's own commands. */
  readonly consent = async (asked: ConsentRequest): Promise<ConsentAnswer> => {
    const { skill, script, args, input, files, level, signal } = asked;
    const title = `Run ${script} of skill '${skill}' ${describeLevel(level)}`;
    const request = { title, kind: "execute", input: { args, input, files }, signal };
    const allowed = await isAllowed(request, this.#plan.permissions ?? {});
    this.#options.emit({ type: "permission-decided", title, kind: "execute", allowed });
    return allowed ? "once" : { deny: `The scripts of skill '${skill}' may not run: the run's permissions deny it.` };
  };

  /** Names the tools of the prompt of sections as the agent lists them now. It calls all others through one of these. */
  #naming(): (tool: string) => string {
    const { conversation } = this.#options;
    const { naming } = conversation;
    const operations = new Map(conversation.operations().map(({ id, name }) => [id as string, name]));
    const own = new Set(this.tools.map(({ name }) => name));
    return (tool) => {
      const operation = operations.get(tool);
      if (operation !== undefined) return naming.name(NAMES.library, operation);
      return own.has(tool) ? naming.name(NAMES.thinkServer, tool) : tool;
    };
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
      tools: [...tools.filter(({ name }) => !unlisted.has(name)), ...promptTools(this.#tools)],
      slot: this.#slot,
      style: this.#style,
      naming: conversation.naming,
    });
  }

  get #style(): ToolStyle {
    const { live, isLasting } = this.#options.conversation;
    return live === undefined ? "untold" : isLasting ? "dispatched" : "own";
  }

  /** Sends a prompt and waits for the turn to end. After a result, it waits only briefly. */
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
      // The agent has returned its result and may send some final text.
      const patience = this.#slot?.failure === undefined ? LIMITS.agent.lastWordsTime : 0;
      const late = await within(patience, untilAborted(this.signal, asked));
      if (late === undefined) await this.#cancel(asked);
      return late?.stopReason ?? "end_turn";
    } catch (error) {
      if (this.signal.aborted) await this.#cancel(asked);
      // An accepted result counts, even if the agent fails afterwards.
      if (this.#slot?.value !== undefined) return "end_turn";
      throw error;
    }
  }

  /** Cancels the turn. If the agent ignores that and no other run uses it, the agent is stopped. */
  async #cancel(asked: Promise<unknown>): Promise<void> {
    const { conversation, link, agent } = this.#options;
    const { cancelTimeout = DEFAULTS.cancelTimeout } = agent;
    conversation.cancel();
    // With the result accepted, the remaining output does not matter.
    if (this.#slot?.value !== undefined) return;
    const ended = asked.then(
      () => true,
      () => true,
    );
    if ((await within(cancelTimeout, ended)) === undefined && link.users === 1)
      await link.abandon(
        new SkillError("agent-failed", "The agent kept running after it was cancelled, and was stopped."),
      );
  }

  async #callAnnounced(): Promise<readonly { tool: string; text: string }[]> {
    const { emit, conversation } = this.#options;
    const before = (): void => {
      if (conversation.isAnnounced) return;
      conversation.isAnnounced = true;
      emit({ type: "bridge-chosen", bridge: "announced", failed: conversation.failed, unreachable: [] });
    };
    const given = { updates: this.#updates, tools: this.#everyTool(), refused: this.#refusedCalls };
    return callAnnounced({ ...given, signal: this.signal, before, emit });
  }

  /** The turn ended without a result: takes it from the answer, or returns the next prompt. */
  async #goOnWithout(slot: ResultSlot): Promise<string> {
    const written = this.#style === "untold" ? resultIn(this.#answer) : undefined;
    if (written !== undefined) return (await slot.offer({ result: written.value }, true)).text;
    if (this.#isReminded)
      throw slot.refusal === undefined ? missingResult("agent", this.#answer, this.#whyNoTools()) : slot.giveUp();
    this.#isReminded = true;
    return remindOfResult(slot, this.#style, this.#options.conversation.naming);
  }

  /** Why the agent may have had no tool for its result; empty if it had one. */
  #whyNoTools(): string {
    const { conversation, link } = this.#options;
    if (conversation.live !== undefined) return "";
    const tried = conversation.failed.length === 0 ? "" : ` over ${conversation.failed.join(" or ")}`;
    const { withoutMcp = "" } = acpProgramCalled(link.name) ?? {};
    return [`It did not use our tools${tried}, so its answer had to be JSON.`, withoutMcp].filter(Boolean).join(" ");
  }

  /** All tools, under their own names and through the dispatcher. */
  #everyTool(): readonly ModelTool[] {
    const [callTool] = dispatchedTools(this.#tools);
    const own = ownTools(this.#tools).filter(({ name }) => name !== callTool?.name);
    return [...this.#options.conversation.operations(), ...own, ...(callTool ? [callTool] : [])];
  }
}
