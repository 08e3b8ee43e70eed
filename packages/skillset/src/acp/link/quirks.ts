/** What agents do other than one would expect, by the names that they give themselves. */
export const QUIRKS: Readonly<Record<string, Quirks>> = {
  "@agentclientprotocol/claude-agent-acp": { toolName: (server, tool) => `mcp__${server}__${tool}` },
  // Has an `activate_skill` of its own.
  "gemini-cli": { toolName: (server, tool) => `mcp_${server}_${tool}` },
  // Keeps MCP servers by name for all sessions in one folder: the newest `skillset` answers for the older ones too.
  OpenCode: { conversations: "one-a-folder", toolName: (server, tool) => `${server}_${tool}` },
  // Takes MCP servers without a word, and never starts one; a new session drops the prompts of all others.
  "pi-acp": { bridges: [], conversations: "one" },
};

export interface Quirks {
  /** How many conversations one process of it can have at a time. */
  readonly conversations?: "one" | "one-a-folder";
  /** Which ways of serving tools it really takes. */
  readonly bridges?: readonly ("http" | "stdio")[];
  /** The name under which its model sees a tool of an MCP server. */
  readonly toolName?: (server: string, tool: string) => string;
}
