import type { ToolKind } from "@agentclientprotocol/sdk";

/** The tool kinds that ACP defines. */
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
