export { type FunctionTool, RunError, type RunFinish, type RunOptions } from "../adapter/index.ts";
export { compactChatMessages, compactResponseInput } from "./compact-messages.ts";
export { type ChatRun, type EndpointTool, runChat } from "./run-chat.ts";
export { type HostedTool, type ResponsesRun, runResponses } from "./run-responses.ts";
