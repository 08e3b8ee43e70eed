export type { PromptResponse } from "../prompt/prompt-response.ts";
export { WorkspaceSection as ClaudeAgentWorkspaceSection } from "../prompt/workspace/workspace-section.ts";
export type { ClaudeAgentSDK, ClaudeMessage } from "./claude-agent-sdk.ts";
export {
  ClaudeAgentSDKAdapter,
  type ClaudeAgentSDKAdapterOptions,
  type ClaudeEvent,
  type EvaluateOptions,
} from "./claude-agent-sdk-adapter.ts";
export { IsolationConfig, type IsolationConfigOptions, type SandboxConfig } from "./isolation-config.ts";
export { NetworkPolicy } from "./network-policy.ts";
export type { ClaudeAgentSDKClientConfig } from "./query-options.ts";
