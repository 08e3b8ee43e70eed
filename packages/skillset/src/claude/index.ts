export type { ClaudeAgentSDK, ClaudeMessage } from "./claude-agent-sdk.ts";
export {
  ClaudeAgentSDKAdapter,
  type ClaudeAgentSDKAdapterOptions,
  type ClaudeEvent,
  type EvaluateOptions,
} from "./claude-agent-sdk-adapter.ts";
export { IsolationConfig, type IsolationConfigOptions, type SandboxConfig } from "./isolation-config.ts";
export { NetworkPolicy } from "./network-policy.ts";
export type { PromptResponse } from "./prompt-response.ts";
export type { ClaudeAgentSDKClientConfig } from "./query-options.ts";
export type { HostMount } from "./workspace-mounts.ts";
export {
  ClaudeAgentWorkspaceSection,
  type ClaudeAgentWorkspaceSectionOptions,
  type OpenWorkspaceOptions,
} from "./workspace-section.ts";
