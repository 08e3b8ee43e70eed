import type { ToolResult } from "./call-tool.ts";

/** What a tool gave, as the JSON that a model was told: whoever writes it once more writes the same. */
export function plainValue({ value, text }: ToolResult): unknown {
  return typeof value === "string" ? value : JSON.parse(text);
}
