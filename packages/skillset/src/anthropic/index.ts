export { RunError, type RunFinish, type RunOptions } from "../adapter/index.ts";
export { compactMessages } from "./compact-messages.ts";
export { type EvaluateMessagesPromptOptions, evaluatePrompt } from "./evaluate-prompt.ts";
export type { CacheOption } from "./mark-cache.ts";
export { type MessagesRequest, type MessagesRun, type RunMessagesOptions, runMessages } from "./run-messages.ts";
