import { claude } from "../agents/claude.ts";
import { NAMES } from "../core/base/limits.ts";
import type { PromptHome } from "../prompt/agent/prompt-home.ts";
import type { ToolUse } from "./claude-agent-sdk.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** How to run Claude Code. */
export interface ClaudeAgentSDKClientConfig {
  /**
   * The agent's working folder.
   * @default the prompt's workspace, or `process.cwd()` without one
   */
  readonly cwd?: string;
  /**
   * The model to use.
   * @default Claude Code's default model
   */
  readonly model?: string;
  /**
   * Claude Code's permission mode. In `dontAsk` mode, everything that is not allowed is denied.
   * @default "dontAsk"
   */
  readonly permissionMode?: "default" | "acceptEdits" | "bypassPermissions" | "plan" | "dontAsk";
  /**
   * The tools that the agent may use without asking.
   * @default []
   */
  readonly allowedTools?: readonly string[];
  /** The tools that the agent must not use. */
  readonly disallowedTools?: readonly string[];
  /** The maximum number of turns. */
  readonly maxTurns?: number;
  /**
   * Additional environment variables for the agent.
   * @default {}
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Any other option of the SDK's `query`, passed through unchanged.
   * @default {}
   */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The agent's home and working folder. */
export interface Surroundings {
  readonly home: PromptHome | undefined;
  readonly cwd: string;
}

type UseHook = (use: ToolUse) => Promise<object>;

/** Keeps the caller's hooks and adds ours after them. */
export function hooksOf(
  config: ClaudeAgentSDKClientConfig,
  policy: NetworkPolicy | undefined,
  { beforeUse, afterUse }: { readonly beforeUse: UseHook | undefined; readonly afterUse: UseHook },
): object {
  const given = (config.options?.hooks ?? {}) as Record<string, readonly object[] | undefined>;
  const beforeFetch = { matcher: "WebFetch", hooks: [async (use: ToolUse) => policy?.decide(use.tool_input) ?? {}] };
  const before = [...(policy ? [beforeFetch] : []), ...(beforeUse ? [{ hooks: [beforeUse] }] : [])];
  return {
    ...given,
    ...(before.length > 0 && { PreToolUse: [...(given.PreToolUse ?? []), ...before] }),
    PostToolUse: [...(given.PostToolUse ?? []), { hooks: [afterUse] }],
  };
}

/** Returns the caller's MCP servers. */
export function serversOf(config: ClaudeAgentSDKClientConfig): object {
  return (config.options?.mcpServers as object | undefined) ?? {};
}

/** Returns the options of a query that do not depend on the prompt. */
export function queryOptions(
  config: ClaudeAgentSDKClientConfig,
  { home, cwd }: Surroundings,
  hasServer: boolean,
): object {
  const { model, permissionMode = "dontAsk", allowedTools = [], disallowedTools, maxTurns, env = {}, options } = config;
  return {
    ...options,
    cwd,
    permissionMode,
    ...(permissionMode === "bypassPermissions" && { allowDangerouslySkipPermissions: true }),
    // Our tools and skills need no permission.
    allowedTools: [...allowedTools, ...(hasServer ? [`mcp__${NAMES.promptServer}`] : []), "Skill"],
    ...(disallowedTools && { disallowedTools: [...disallowedTools] }),
    model,
    maxTurns,
    ...(home !== undefined && { settingSources: ["user"] }),
    env: { ...(home === undefined ? process.env : home.env), ...claude.acp.env, ...env },
  };
}
