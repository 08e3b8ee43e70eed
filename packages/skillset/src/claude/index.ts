export type { PromptResponse } from "../prompt/prompt-response.ts";
export { WorkspaceSection as ClaudeAgentWorkspaceSection } from "../prompt/workspace/workspace-section.ts";
export type { ClaudeAgentSDK, ClaudeMessage } from "./claude-agent-sdk.ts";
export { ClaudeAgentSDKAdapter } from "./claude-agent-sdk-adapter.ts";
export {
  type ClaudeAgentSDKAdapterOptions,
  type ClaudeEvent,
  type EvaluateClaudePromptOptions,
  type EvaluateOptions,
  evaluatePrompt,
} from "./evaluate-prompt.ts";
export { IsolationConfig, type IsolationConfigOptions, type SandboxConfig } from "./isolation-config.ts";
export { NetworkPolicy } from "./network-policy.ts";
export type { ClaudeAgentSDKClientConfig } from "./query-options.ts";
