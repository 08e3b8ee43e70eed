import { checkCall, conductRuns, type EvaluatePromptOptions } from "../adapter/index.ts";
import type { PromptResponse } from "../prompt/index.ts";
import {
  MESSAGES_REFUSED,
  MESSAGES_TOOLS,
  type MessagesRequest,
  type RunMessagesOptions,
  sendMessages,
} from "./run-messages.ts";

/** Options for `evaluatePrompt`. */
export interface EvaluateMessagesPromptOptions<Output>
  extends EvaluatePromptOptions<Output>,
    Pick<RunMessagesOptions, "client" | "cache" | "files"> {
  /** The body of each request. The prompt follows its `messages`, if it has any. */
  readonly request: Omit<MessagesRequest, "messages"> & Partial<Pick<MessagesRequest, "messages">>;
}

/**
 * Evaluates a prompt over Anthropic's Messages API: with its tools, its sections to open, its skills and its structured
 * output.
 *
 * @example
 * ```ts
 * import { Anthropic } from "@anthropic-ai/sdk";
 * import { evaluatePrompt } from "skillset/anthropic";
 * import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Fill in the form." });
 * const skills = new AgentSkillsSection({ skillsDir: "./skills" });
 * const prompt = new Prompt(new PromptTemplate({ ns: "forms", key: "fill", sections: [task, skills] }));
 * const request = { model: "claude-sonnet-5-5", max_tokens: 4_096 };
 * const { text } = await evaluatePrompt({ client: new Anthropic(), prompt, request });
 * ```
 */
export async function evaluatePrompt<Output>(
  call: EvaluateMessagesPromptOptions<Output>,
): Promise<PromptResponse<Output>> {
  checkCall("evaluatePrompt", call, ["client", "prompt", "request"], CHECKS);
  const { client, request, cache, files, ...options } = call;
  return conductRuns(options, request.messages, (messages, run) =>
    sendMessages({ client, request: { ...request, messages }, cache, files, ...run }),
  );
}

const CHECKS = { earlier: "messages", tools: MESSAGES_TOOLS, refused: MESSAGES_REFUSED };
