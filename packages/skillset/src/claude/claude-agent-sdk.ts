import { loadPeer } from "../adapter/load-peer.ts";

/** The part of the Claude Agent SDK that the adapter uses, as far as it uses it. */
export interface ClaudeAgentSDK {
  // biome-ignore lint/suspicious/noExplicitAny: the types of its options and messages are the SDK's own
  query(given: { prompt: any; options: any }): AsyncIterable<any>;
}

/** A message of the SDK, whose own types say more; `type` says which. */
export type ClaudeMessage = { readonly type: string; readonly [field: string]: unknown };

/** How a turn ended. */
export interface ClaudeResult {
  readonly subtype: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly structured_output?: unknown;
  readonly errors?: readonly string[];
}

/** What a hook is told of a tool that was used. */
export interface ToolUse {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly cwd: string;
}

export async function loadClaudeAgentSDK(): Promise<ClaudeAgentSDK> {
  // A name in a variable: the package is not needed to compile the library.
  const name = "@anthropic-ai/claude-agent-sdk";
  return loadPeer(name, () => import(name) as Promise<ClaudeAgentSDK>);
}
