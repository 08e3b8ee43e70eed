export { RunError, type RunFinish, type RunOptions } from "../adapter/index.ts";
export { compactChatMessages, compactResponseInput } from "./compact-messages.ts";
export { type EvaluateChatPromptOptions, evaluatePrompt } from "./evaluate-prompt.ts";
export { type ChatRequest, type ChatRun, type HostedTool, type RunChatOptions, runChat } from "./run-chat.ts";
export {
  type ResponsesRequest,
  type ResponsesRun,
  type RunResponsesOptions,
  runResponses,
} from "./run-responses.ts";
