export { type HostedTool, RunError, type RunFinish, type RunOptions } from "../adapter/index.ts";
export { compactChatMessages, compactResponseInput } from "./compact-messages.ts";
export { type ChatRun, runChat } from "./run-chat.ts";
export { type ResponsesRun, runResponses } from "./run-responses.ts";
