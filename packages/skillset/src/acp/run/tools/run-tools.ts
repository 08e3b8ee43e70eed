import { SkillError } from "../../../core/base/errors.ts";
import { NAMES } from "../../../core/base/limits.ts";
import { operationsIn } from "../../../core/in-session.ts";
import type { ModelTool, OperationTool } from "../../../core/operations/model-tool.ts";
import type { ScriptConsent } from "../../../core/script/script.ts";
import type { Session } from "../../../core/session.ts";
import { aroundCalls, type OperationFailure, toModelTool } from "../../../core/tool/model-tool.ts";
import type { ResultSlot } from "../../../core/tool/result-slot.ts";
import { returnResultTool } from "../../../core/tool/return-result.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { wrapSchema } from "../../../core/tool/wrap-schema.ts";
import type { PromptRun } from "../../../prompt/prompt-run.ts";
import type { AgentSession } from "../../bridge/agent-session.ts";
import type { AgentOptions } from "../../options/agent-options.ts";
import type { ThinkPlan } from "../../options/think-plan.ts";
import { describeTools } from "../prompt/assemble-prompt.ts";
import { callOwn, callToolFor } from "./call-tool.ts";
import { skillOperations } from "./skill-operations.ts";
import { startPrompt, withConsent } from "./start-prompt.ts";

interface RunToolsOptions {
  /** The conversation with the skills of the run. */
  readonly skills: Session;
  /** The options of the agent. */
  readonly agent: AgentOptions;
  /** How the agent shows the tools. */
  readonly session: Pick<AgentSession, "naming" | "hasBridges">;
  readonly slot: ResultSlot | undefined;
  /** Decides about scripts, if nobody else does. */
  readonly consent: ScriptConsent;
  /** Called with the instructions of each skill that the agent activates. */
  readonly onInstructions: (text: string) => void;
}

/** What a run offers to its agent: operations on skills, the tools of the caller and of the prompt, and the result. */
export class RunTools {
  /** The prompt of sections, if the run has one. */
  readonly prompt: PromptRun<unknown> | undefined;
  readonly #plan: ThinkPlan;
  readonly #options: RunToolsOptions;
  /** Whether the conversation has operations on skills, which then also serve the prompt's skills. */
  readonly #hasOperations: boolean;

  constructor(plan: ThinkPlan, options: RunToolsOptions) {
    const { skills, agent, session } = options;
    this.#plan = plan;
    this.#options = options;
    this.prompt = plan.prompt && startPrompt(plan.prompt, { skills, agent, hasTools: session.hasBridges });
    this.#hasOperations = operationsIn(skills, { ...agent.operations, fixedList: plan.isLasting }).length > 0;
    checkNames(plan.tools, this.prompt);
  }

  /** The operations on the skills of the conversation and of the prompt. */
  get operations(): readonly OperationTool[] {
    const { skills, agent, consent, onInstructions } = this.#options;
    const others = this.#hasOperations ? this.#ofPrompt.filter(({ id }) => id !== undefined) : [];
    const operations = { ...agent.operations, fixedList: this.#plan.isLasting || others.length > 0 };
    return skillOperations(skills, { operations, catalog: agent.catalog, others, consent, onInstructions });
  }

  /** The other tools that the agent lists: more once it has opened sections of its prompt. */
  get listed(): readonly ModelTool[] {
    return this.#plan.isLasting ? this.#dispatched : this.#own;
  }

  /** All tools, under their own names and through the dispatcher. */
  get every(): readonly ModelTool[] {
    const own = this.#own.filter(({ name }) => name !== NAMES.callTool);
    return [...this.operations, ...own, this.#callTool];
  }

  /** The tools that the prompt describes. */
  get described(): readonly (Tool | ModelTool)[] {
    const { tools, unlisted } = this.#plan;
    return [...tools.filter(({ name }) => !unlisted.has(name)), ...this.#ofSections];
  }

  /** Writes the names that the agent shows into the prompt of sections. It calls all other tools through one of these. */
  nameInPrompt(): void {
    const { naming } = this.#options.session;
    const operations = new Map(this.operations.map(({ id, name }) => [id as string, name]));
    const listed = new Set(this.listed.map(({ name }) => name));
    this.prompt?.nameTools((tool) => {
      const operation = operations.get(tool);
      if (operation !== undefined) return naming.name(NAMES.library, operation);
      return listed.has(tool) ? naming.name(NAMES.thinkServer, tool) : tool;
    });
  }

  /** The tools and `return_result`, for an agent that starts with this run. */
  get #own(): readonly ModelTool[] {
    const { prompt } = this;
    const { slot } = this.#options;
    const offered = this.#callable;
    // Most agents list tools only once, so they call those of sections that they open through a fixed one.
    const isGrowing = prompt?.everyTool.some(({ name }) => !offered.some((one) => one.name === name));
    const others = isGrowing || prompt?.rendered.open.length ? [this.#callTool] : [];
    const results = slot === undefined ? [] : [returnResultTool(slot.inputSchema, (input) => slot.offer(input))];
    return [...offered, ...others, ...results];
  }

  /** The two fixed tools of every run in a conversation: most agents list tools only once. */
  get #dispatched(): readonly ModelTool[] {
    const { slot } = this.#options;
    const inputSchema = wrapSchema({}, NAMES.result);
    return [this.#callTool, returnResultTool(inputSchema, async (input) => slot?.offer(input, true) ?? NOT_ASKED)];
  }

  get #callTool(): ModelTool {
    return callToolFor({ own: this.#plan.tools, offered: () => this.#callable, skills: this.#options.skills });
  }

  /** The tools that the agent may call now, without operations of the conversation. */
  get #callable(): readonly ModelTool[] {
    const { skills } = this.#options;
    return [
      ...this.#plan.tools.map((tool) => toModelTool(tool, (input, signal) => callOwn(tool, skills, input, signal))),
      ...this.#ofSections.map((tool) => (tool.name === NAMES.openSections ? this.#announcing(tool) : tool)),
    ];
  }

  /** The tools of the prompt, without the operations that the conversation serves. */
  get #ofSections(): readonly ModelTool[] {
    return this.#ofPrompt.filter(({ id }) => id === undefined || !this.#hasOperations);
  }

  get #ofPrompt(): readonly ModelTool[] {
    const { agent, consent } = this.#options;
    const { prompt: planned } = this.#plan;
    const tools = this.prompt?.tools ?? [];
    return planned === undefined ? tools : tools.map(withConsent(planned, agent, consent));
  }

  /** Describes the tools of the sections that the agent opens. */
  #announcing(tool: ModelTool): ModelTool {
    return aroundCalls(tool, (execute) => async (input, options) => {
      const before = new Set(this.#callable.map(({ name }) => name));
      const result = await execute(input, options);
      const added = this.#callable.filter(({ name }) => !before.has(name));
      if (result.isError || added.length === 0) return result;
      return {
        ...result,
        text: `${result.text}\n\n${describeTools(added, "dispatched", this.#options.session.naming)}`,
      };
    });
  }
}

/** Throws if the prompt of sections has, in any section, a tool with the name of one of the caller's. */
function checkNames(tools: readonly Tool[], prompt: PromptRun<unknown> | undefined): void {
  const names = new Set(prompt?.everyTool.map(({ name }) => name));
  const twice = tools.find(({ name }) => names.has(name))?.name;
  if (twice === undefined) return;
  const message = `Two tools are called '${twice}': one of the prompt, and one of the run. Rename one of them.`;
  throw new SkillError("option-invalid", message);
}

const NOT_ASKED: OperationFailure = {
  isError: true,
  text: "No result is requested: answer in text.",
  code: "result-invalid",
};
