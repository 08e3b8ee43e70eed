import type { generateText, LanguageModel, ModelMessage, ToolSet } from "ai";
import {
  checkCall,
  conductPrompt,
  type EvaluatePromptOptions,
  type ModelTool,
  type RunFinish,
} from "../adapter/index.ts";
import { SkillError } from "../index.ts";
import type { PromptResponse } from "../prompt/index.ts";
import type { CreateChatRequest } from "./create-chat.ts";
import { endedEarly, pendingCall } from "./ended-early.ts";
import { FilePlacing } from "./file-placing.ts";
import { guardTools, REQUEST_TOOLS } from "./guard-tools.ts";
import { systemPromptOf } from "./instructions.ts";
import { loadAi } from "./load-ai.ts";
import { toSdkTool } from "./sdk-tool.ts";
import type { WithSkillsOptions } from "./with-skills.ts";

/** Options for `evaluatePrompt`. */
export interface EvaluateModelPromptOptions<Output>
  extends EvaluatePromptOptions<Output>,
    Pick<WithSkillsOptions<ToolSet>, "files"> {
  /** The settings of `generateText`: the model, and any other. The prompt follows its `messages`, if it has any. */
  readonly request: CreateChatRequest<ToolSet>;
}

/**
 * Evaluates a prompt with any model of the AI SDK: with its tools, its sections to open, its skills and its structured
 * output.
 *
 * @example
 * ```ts
 * import type { LanguageModel } from "ai";
 * import { evaluatePrompt } from "skillset/ai-sdk";
 * import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * declare const model: LanguageModel;
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Fill in the form." });
 * const skills = new AgentSkillsSection({ skillsDir: "./skills" });
 * const prompt = new Prompt(new PromptTemplate({ ns: "forms", key: "fill", sections: [task, skills] }));
 * const { text } = await evaluatePrompt({ prompt, request: { model } });
 * ```
 */
export async function evaluatePrompt<Output>(
  call: EvaluateModelPromptOptions<Output>,
): Promise<PromptResponse<Output>> {
  checkCall("evaluatePrompt", call, ["prompt", "request"], CHECKS);
  systemPromptOf(call.request);
  const { request, files = true, ...options } = call;
  const { tools = {}, activeTools, prepareStep, stopWhen = [], messages: earlier = [], ...settings } = request;
  const guarded = guardTools(options.session, tools);
  const placing = new FilePlacing(files, (name) => Object.hasOwn(tools, name));
  const { generateText, jsonSchema } = await loadAi();
  const messages: ModelMessage[] = [...earlier];
  return conductPrompt(options, async (content, run, maxSteps) => {
    messages.push({ role: "user", content });
    const ours = run.everyTool.map(({ name, description, inputSchema }) => {
      if (Object.hasOwn(tools, name))
        throw new SkillError(
          "option-invalid",
          `The prompt has a tool '${name}', and so has 'request.tools'. Rename one of them.`,
        );
      const execute: ModelTool["execute"] = (input, calling) => run.call(name, input, calling);
      return [name, toSdkTool({ description, inputSchema, execute }, jsonSchema, placing)] as const;
    });
    const result = await generateText({
      ...settings,
      messages,
      tools: { ...guarded, ...Object.fromEntries(ours) },
      prepareStep: async (step: { readonly messages: readonly ModelMessage[]; readonly model?: LanguageModel }) => {
        const wanted = await prepareStep?.(step as never);
        placing.use(wanted?.model ?? step.model);
        const given = wanted?.messages ?? step.messages;
        const sent = placing.place(given);
        const offered = run.tools.map(({ name }) => name);
        const own = wanted?.activeTools ?? activeTools ?? Object.keys(tools);
        return { ...wanted, ...(sent !== given && { messages: sent }), activeTools: [...own, ...offered] };
      },
      stopWhen: [
        ...[stopWhen].flat(),
        ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= maxSteps,
        () => run.isSettled,
      ],
      abortSignal: options.signal,
    } as never);
    messages.push(...result.responseMessages);
    const { text, steps } = result;
    return { text, steps: steps.length, finish: run.isSettled ? "stop" : finishOf(result, maxSteps) };
  });
}

/** Throws if the run ended without an answer for a reason that only the AI SDK knows. */
function finishOf(
  { finishReason, rawFinishReason, steps }: Awaited<ReturnType<typeof generateText<ToolSet>>>,
  maxSteps: number,
): RunFinish {
  if (finishReason === "length" || finishReason === "interrupted") return "length";
  if (finishReason === "content-filter") return "refused";
  if (finishReason === "error") {
    const reason = rawFinishReason === undefined ? "" : `: ${rawFinishReason}`;
    throw new SkillError("run-failed", `The provider ended the answer with an error${reason}.`);
  }
  const pending = pendingCall(steps);
  if (pending !== undefined)
    throw new SkillError(
      "run-failed",
      `The model called '${pending}', which has no 'execute' or needs an approval. An evaluation runs all calls itself: ` +
        "add 'execute', approve the calls in 'request.toolApproval', or remove the tool.",
    );
  if (!endedEarly(steps)) return "stop";
  if (steps.length >= maxSteps) return "steps";
  throw new SkillError("run-failed", "A condition in 'request.stopWhen' ended the run before the model answered.");
}

const CHECKS = {
  earlier: "messages",
  tools: REQUEST_TOOLS,
  refused: {
    prompt: "The prompt is an option of evaluatePrompt().",
    abortSignal: "Use the option 'signal' of evaluatePrompt().",
  },
};
