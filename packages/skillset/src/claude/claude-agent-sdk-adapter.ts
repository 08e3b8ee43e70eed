import { checkOptions } from "../core/text/check-options.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { PromptResponse } from "../prompt/prompt-response.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import {
  ADAPTER_OPTIONS,
  type ClaudeAgentSDKAdapterOptions,
  checkClientConfig,
  EVALUATE_OPTIONS,
  type EvaluateOptions,
  evaluatePrompt,
  warnOnce,
} from "./evaluate-prompt.ts";

/**
 * Evaluates several prompts with the same options. `evaluatePrompt` evaluates one.
 *
 * @example
 * ```ts
 * import { ClaudeAgentSDKAdapter } from "skillset/claude";
 * import { MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Review the code in this folder." });
 * const prompt = new Prompt(new PromptTemplate({ ns: "review", key: "code", sections: [task] }));
 *
 * const adapter = new ClaudeAgentSDKAdapter({ clientConfig: { allowedTools: ["Read"] } });
 * const { text } = await adapter.evaluate(prompt);
 * console.log(text);
 * ```
 */
export class ClaudeAgentSDKAdapter {
  readonly #options: ClaudeAgentSDKAdapterOptions;

  constructor(options: ClaudeAgentSDKAdapterOptions = {}) {
    checkOptions("new ClaudeAgentSDKAdapter()", options, ADAPTER_OPTIONS);
    checkClientConfig(options.clientConfig);
    this.#options = { ...options, onWarning: warnOnce(options.onWarning) };
  }

  /** Runs the prompt and returns the agent's answer. All temporary files are removed afterwards. */
  async evaluate<Output>(
    prompt: Prompt<AnyParams, Output>,
    options: EvaluateOptions = {},
  ): Promise<PromptResponse<Output>> {
    checkOptions("evaluate()", options, EVALUATE_OPTIONS);
    return evaluatePrompt({ ...this.#options, ...options, prompt });
  }
}
