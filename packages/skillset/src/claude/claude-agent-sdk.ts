import { loadPeer, type PeerVersions } from "../adapter/load-peer.ts";

const VERSIONS: PeerVersions = {
  name: "@anthropic-ai/claude-agent-sdk",
  range: ">=0.3.282 <1",
  install: "0.3",
};

/** The part of the Claude Agent SDK that the adapter uses. */
export interface ClaudeAgentSDK {
  // biome-ignore lint/suspicious/noExplicitAny: the types of its options and messages are the SDK's own
  query(given: { prompt: any; options: any }): AsyncIterable<any>;
}

/** An SDK message, identified by `type`. The SDK's own types are more precise. */
export type ClaudeMessage = { readonly type: string; readonly [field: string]: unknown };

/** The result of a turn. */
export interface ClaudeResult {
  readonly subtype: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly structured_output?: unknown;
  readonly errors?: readonly string[];
}

/** The input of a hook for a tool call. */
export interface ToolUse {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly cwd: string;
}

/** Loads the SDK. `prewarm` is the function by which versions that are too old are recognised. */
export async function loadClaudeAgentSDK(): Promise<ClaudeAgentSDK> {
  // The name is in a variable, so that the library compiles without the package.
  const { name } = VERSIONS;
  const load = () => import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<ClaudeAgentSDK>;
  return loadPeer(name, load, { versions: VERSIONS, features: ["query", "prewarm"] });
}
