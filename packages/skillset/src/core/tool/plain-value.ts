import type { ToolResult } from "./call-tool.ts";

/** Returns a tool's result as plain JSON, so that serializing it again returns the text that the model received. */
export function plainValue({ value, text }: ToolResult): unknown {
  return typeof value === "string" ? value : JSON.parse(text);
}
