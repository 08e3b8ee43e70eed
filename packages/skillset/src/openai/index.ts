export { type HostedTool, RunError, type RunFinish, type RunOptions } from "../adapter/index.ts";
export { compactChatMessages, compactResponseInput } from "./compact-messages.ts";
export { type ChatBody, type ChatRun, type RunChatOptions, runChat } from "./run-chat.ts";
export {
  type ResponsesBody,
  type ResponsesRun,
  type RunResponsesOptions,
  runResponses,
} from "./run-responses.ts";
