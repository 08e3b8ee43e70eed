/** The tool kinds that ACP defines. */
export const TOOL_KINDS = [
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
] as const;

/** The kind of action of a tool call. */
export type ToolKind = (typeof TOOL_KINDS)[number];
