import { SkillError } from "../core/base/errors.ts";
import { messageOf } from "../core/base/message-of.ts";
import { checkOptions } from "../core/text/check-options.ts";
import type { Prompt, PromptResponse, PromptRun, StartPromptOptions } from "../prompt/index.ts";
import { checkMaxSteps } from "./max-steps.ts";
import type { ModelLoopOptions, ModelRun, RunFinish } from "./model-loop.ts";
import { EVALUATION_OPTIONS } from "./option-tables.ts";

/** The options of every evaluation of a prompt by a model, besides the client and the request. */
export interface EvaluatePromptOptions<Output>
  extends Omit<StartPromptOptions, "returnTool" | "open" | "installed" | "hasFolder" | "showDirectory" | "toolName"> {
  // biome-ignore lint/suspicious/noExplicitAny: a prompt with any parameters
  readonly prompt: Prompt<any, Output>;
  /**
   * Maximum number of requests in the evaluation.
   * @default 20
   */
  readonly maxSteps?: number;
  /** Cancels the evaluation. */
  readonly signal?: AbortSignal;
}

/** The model's final answer to what it was told. */
export interface PromptAnswer {
  readonly text: string;
  readonly finish: RunFinish;
  /**
   * The number of requests until this answer.
   * @default 1
   */
  readonly steps?: number;
}

/**
 * Evaluates a prompt with a model. `ask` sends a user's message in the same conversation each time, runs the tools that the
 * model calls, and returns its answer; `run.tools` are the tools for the next request, and `maxSteps` is the number of
 * requests that remain.
 *
 * @example
 * ```ts
 * import { conductPrompt, type PromptAnswer } from "skillset/adapter";
 * import type { Prompt, PromptRun } from "skillset/prompt";
 *
 * declare const prompt: Prompt;
 * declare function ask(text: string, run: PromptRun<unknown>): Promise<PromptAnswer>;
 * const { text } = await conductPrompt({ prompt }, ask);
 * ```
 */
export async function conductPrompt<Output>(
  given: EvaluatePromptOptions<Output>,
  ask: (text: string, run: PromptRun<Output>, maxSteps: number) => Promise<PromptAnswer>,
): Promise<PromptResponse<Output>> {
  // Undefined options have no effect.
  const isSet = ([, value]: [string, unknown]): boolean => value !== undefined;
  const set = Object.fromEntries(Object.entries(given).filter(isSet)) as unknown as typeof given;
  checkOptions("An evaluation", set, EVALUATION_OPTIONS, FIXES);
  const { prompt, maxSteps, signal, ...options } = set;
  signal?.throwIfAborted();
  const allowed = Math.ceil(checkMaxSteps(maxSteps));
  await prompt.checkRequirements({ signal });
  // Models read no files, so they load skills with tools.
  const run = prompt.start({ ...options, mode: options.mode ?? "tools", hasFolder: false });
  let text = run.text;
  let left = allowed;
  for (;;) {
    const answer = await ask(text, run, left).catch((error: unknown) => {
      throw failureOf(error, signal);
    });
    signal?.throwIfAborted();
    if (!run.isSettled) checkFinish(answer);
    const { response, next } = await run.end(answer.text);
    if (response !== undefined) return response;
    left -= answer.steps ?? 1;
    if (left < 1)
      throw new SkillError("run-failed", `The model returned no result within 'maxSteps' (${allowed}). Increase it.`);
    text = next;
  }
}

/** Evaluates a prompt with runs of `runModelLoop`, which `send` starts. Each run continues the conversation. */
export function conductRuns<Output, Message>(
  options: EvaluatePromptOptions<Output>,
  earlier: readonly Message[] = [],
  send: (messages: readonly (Message | Asked)[], run: RunSettings) => Promise<ModelRun<Message, unknown>>,
): Promise<PromptResponse<Output>> {
  const messages: (Message | Asked)[] = [...earlier];
  return conductPrompt(options, async (content, run, maxSteps) => {
    messages.push({ role: "user", content });
    const settings = { tools: () => run.tools, stopWhen: () => run.isSettled, maxSteps, signal: options.signal };
    const { added, ...answer } = await send(messages, settings);
    messages.push(...added);
    return answer;
  });
}

type Asked = { readonly role: "user"; readonly content: string };
type RunSettings = Pick<ModelLoopOptions<never, never>, "tools" | "stopWhen" | "maxSteps" | "signal">;

const FIXES: Readonly<Record<string, string>> = {
  tools: "Add your tools to a section of the prompt.",
  compact: "A prompt and its answer are never shortened. Shorten 'request.messages' before the call.",
};

/** Whatever the SDK throws, callers get one kind of error. After an abort, every error is a consequence of it. */
function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return error instanceof SkillError ? error : new SkillError("run-failed", messageOf(error), { cause: error });
}

function checkFinish({ finish, text }: PromptAnswer): void {
  if (finish === "stop") return;
  const said = text.trim() === "" ? "" : ` Its answer: ${text.trim().slice(-300)}`;
  throw new SkillError("run-failed", `The model stopped early: ${ENDINGS[finish]}.${said}`);
}

const ENDINGS: Readonly<Record<Exclude<RunFinish, "stop">, string>> = {
  length: "its answer was cut off",
  refused: "it refused to answer",
  steps: "it still called tools after the last step that 'maxSteps' allows",
};
