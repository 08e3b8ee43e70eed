export { type FunctionTool, RunError, type RunFinish, type RunOptions } from "../adapter/index.ts";
export { compactChatMessages, compactResponseInput } from "./compact-messages.ts";
export { type ChatBody, type ChatRun, type EndpointTool, type RunChatOptions, runChat } from "./run-chat.ts";
export {
  type HostedTool,
  type ResponsesBody,
  type ResponsesRun,
  type RunResponsesOptions,
  runResponses,
} from "./run-responses.ts";
