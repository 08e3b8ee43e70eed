import { SkillError } from "../../../core/base/errors.ts";
import { DEFAULTS, LIMITS, NAMES } from "../../../core/base/limits.ts";
import type { ModelTool } from "../../../core/operations/model-tool.ts";
import { requireHostCall } from "../../../core/session/check-call.ts";
import type { Conversation } from "../../../core/session/conversation.ts";
import { callForModel } from "../../../core/tool/call-tool.ts";
import {
  aroundCalls,
  type ExecuteOptions,
  type OperationFailure,
  type OperationOutput,
  type OperationResult,
  type PreparedTool,
  settle,
  toModelTool,
} from "../../../core/tool/model-tool.ts";
import type { ResultSlot } from "../../../core/tool/result-slot.ts";
import { returnResultTool } from "../../../core/tool/return-result.ts";
import { jsonSchemaOf } from "../../../core/tool/schema.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import { wrapSchema } from "../../../core/tool/wrap-schema.ts";
import type { PromptRun } from "../../../prompt/prompt-run.ts";

/** What a run offers to its agent. */
export interface RunTools {
  /** The caller's tools. */
  readonly tools: readonly Tool[];
  readonly slot: ResultSlot | undefined;
  readonly skills: Conversation;
  /** The prompt of sections, if the run has one. */
  readonly prompt: PromptRun<unknown> | undefined;
  /** Prepares a tool of the prompt for this run. */
  prepare(tool: ModelTool): ModelTool;
  /** Whether the conversation has operations on skills, which then also serve the prompt's skills. */
  readonly offersSkills: boolean;
  /** Describes tools that became available during the run. */
  describe(tools: readonly ModelTool[]): string;
}

/** The tools and `return_result`, for an agent that starts with this run. */
export function ownTools(run: RunTools): readonly ModelTool[] {
  const { slot, prompt } = run;
  const offered = callable(run);
  // Most agents list tools only once, so they call those of sections that they open through a fixed one.
  const isGrowing = prompt?.everyTool.some(({ name }) => !offered.some((one) => one.name === name));
  const others = isGrowing || prompt?.rendered.open.length ? [callTool(run)] : [];
  const results = slot === undefined ? [] : [returnResultTool(slot.inputSchema, (input) => slot.offer(input))];
  return [...offered, ...others, ...results];
}

/** The two fixed tools of every run in a conversation: most agents list tools only once. */
export function dispatchedTools(run: RunTools): readonly ModelTool[] {
  const { slot } = run;
  const inputSchema = wrapSchema({}, NAMES.result);
  return [callTool(run), returnResultTool(inputSchema, async (input) => slot?.offer(input, true) ?? NOT_ASKED)];
}

/** Throws if the prompt of sections has, in any section, a tool with the name of one of the caller's. */
export function checkNames(tools: readonly Tool[], prompt: PromptRun<unknown> | undefined): void {
  const names = new Set(prompt?.everyTool.map(({ name }) => name));
  const twice = tools.find(({ name }) => names.has(name))?.name;
  if (twice === undefined) return;
  const message = `Two tools are called '${twice}': one of the prompt, and one of the run. Rename one of them.`;
  throw new SkillError("option-invalid", message);
}

/** The tools that the agent may call now. */
function callable(run: RunTools): readonly ModelTool[] {
  const { tools, skills } = run;
  return [
    ...tools.map((tool) => toModelTool(tool, (input, signal) => call(skills, tool, input, signal))),
    ...promptTools(run).map((tool) => (tool.name === NAMES.openSections ? announcing(tool, run) : run.prepare(tool))),
  ];
}

/** The prompt's tools, without the operations that the conversation serves. */
export function promptTools({ prompt, offersSkills }: RunTools): readonly ModelTool[] {
  return (prompt?.tools ?? []).filter(({ id }) => id === undefined || !offersSkills);
}

/** The prompt's operations on skills, if the conversation has its own, which serve them too. */
export function promptOperations({ prompt, offersSkills, prepare }: RunTools): readonly ModelTool[] {
  if (!offersSkills) return [];
  return (prompt?.tools ?? []).filter(({ id }) => id !== undefined).map((tool) => prepare(tool));
}

/** Describes the tools of the sections that the agent opens. */
function announcing(tool: ModelTool, run: RunTools): ModelTool {
  return aroundCalls(tool, (execute) => async (input, options) => {
    const before = new Set(callable(run).map(({ name }) => name));
    const result = await execute(input, options);
    const added = callable(run).filter(({ name }) => !before.has(name));
    if (result.isError || added.length === 0) return result;
    return { ...result, text: `${result.text}\n\n${run.describe(added)}` };
  });
}

function callTool(run: RunTools): PreparedTool {
  return {
    name: NAMES.callTool,
    title: "Call tool",
    description: "Call one of the tools that the message lists, with the input that it describes.",
    inputSchema: {
      type: "object",
      properties: {
        tool: { type: "string", description: "The tool's name" },
        input: { description: "The tool's input, as the message describes it" },
      },
      required: ["tool"],
    },
    readOnly: false,
    isAvailable: () => true,
    execute: (given, options) => dispatch(run, given, options),
  };
}

async function dispatch(run: RunTools, given: unknown, options: ExecuteOptions = {}): Promise<OperationResult> {
  const { tool: name, input } = (given ?? {}) as { tool?: unknown; input?: unknown };
  const own = run.tools.find((one) => one.name === name);
  if (own !== undefined) return settle(() => call(run.skills, own, input, options.signal));
  const offered = callable(run);
  const found = offered.find((one) => one.name === name);
  if (found !== undefined) return found.execute(asMeant(found, input ?? {}), options);
  return settle(async () => {
    const names = offered.map((one) => one.name).join(", ");
    const message = `There is no tool '${String(name).slice(0, LIMITS.shown.nameCharacters)}'. Available: ${names || "none"}.`;
    throw new SkillError("tool-not-found", message);
  });
}

const NOT_ASKED: OperationFailure = {
  isError: true,
  text: "No result is requested: answer in text.",
  code: "result-invalid",
};

async function call(
  skills: Conversation,
  tool: Tool,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<OperationOutput> {
  requireHostCall(skills, tool.name, asMeant(tool, input));
  const context = (toolSignal: AbortSignal) => ({ signal: toolSignal });
  return callForModel(tool, asMeant(tool, input), { context, signal, timeout: DEFAULTS.ownToolTimeout });
}

/** Models write JSON as text where a schema allows any value. */
function asMeant({ inputSchema }: Pick<Tool, "inputSchema">, input: unknown): unknown {
  if (typeof input !== "string" || inputSchema === undefined) return input;
  const schema = jsonSchemaOf(inputSchema);
  if (schema?.type === undefined || schema.type === "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
