import { checkCall, conductRuns, type EvaluatePromptOptions } from "../adapter/index.ts";
import type { PromptResponse } from "../prompt/index.ts";
import { CHAT_REFUSED, CHAT_TOOLS, type ChatRequest, type RunChatOptions, sendChat } from "./run-chat.ts";

/** Options for `evaluatePrompt`. */
export interface EvaluateChatPromptOptions<Output>
  extends EvaluatePromptOptions<Output>,
    Pick<RunChatOptions, "client" | "files"> {
  /** The body of each request. The prompt follows its `messages`, if it has any. */
  readonly request: Omit<ChatRequest, "messages"> & Partial<Pick<ChatRequest, "messages">>;
}

/**
 * Evaluates a prompt over the Chat Completions API, or a compatible endpoint: with its tools, its sections to open, its
 * skills and its structured output.
 *
 * @example
 * ```ts
 * import { OpenAI } from "openai";
 * import { evaluatePrompt } from "skillset/openai";
 * import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Fill in the form." });
 * const skills = new AgentSkillsSection({ skillsDir: "./skills" });
 * const prompt = new Prompt(new PromptTemplate({ ns: "forms", key: "fill", sections: [task, skills] }));
 * const { text } = await evaluatePrompt({ client: new OpenAI(), prompt, request: { model: "gpt-5" } });
 * ```
 */
export async function evaluatePrompt<Output>(call: EvaluateChatPromptOptions<Output>): Promise<PromptResponse<Output>> {
  checkCall("evaluatePrompt", call, ["client", "prompt", "request"], CHECKS);
  const { client, request, files, ...options } = call;
  return conductRuns(options, request.messages, (messages, run) =>
    sendChat({ client, request: { ...request, messages }, files, ...run }),
  );
}

const CHECKS = { earlier: "messages", tools: CHAT_TOOLS, refused: CHAT_REFUSED };
