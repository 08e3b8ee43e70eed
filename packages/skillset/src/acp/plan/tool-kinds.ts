import type { ToolKind } from "@agentclientprotocol/sdk";

/** The kinds of things that an agent asks to do, by the names that ACP gives them. */
export const TOOL_KINDS: readonly ToolKind[] = [
  "read",
  "search",
  "fetch",
  "think",
  "edit",
  "delete",
  "move",
  "execute",
  "switch_mode",
  "other",
];
