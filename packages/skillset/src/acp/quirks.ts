/** What agents do other than one would expect, by the names that they give themselves. */
export const QUIRKS: Readonly<Record<string, Quirks>> = {
  // Keeps MCP servers by name for all sessions in one folder: the newest `skillset` answers for the older ones too.
  OpenCode: { mixesServers: true },
  // Takes MCP servers without a word, and never starts one.
  "pi-acp": { bridges: [] },
};

export interface Quirks {
  readonly mixesServers?: boolean;
  /** Which ways of serving tools it really takes. */
  readonly bridges?: readonly ("http" | "stdio")[];
}
