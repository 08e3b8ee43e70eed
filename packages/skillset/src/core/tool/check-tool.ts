import type { Tool } from "./tool.ts";
import { isToolName, TOOL_NAME_RULE } from "./tool-name.ts";

/** Why the tool cannot be used, as the end of a sentence about it. From JavaScript anything may come. */
export function faultOf(
  tool: { readonly [Key in keyof Tool]?: unknown } | undefined,
  { dots = false }: { readonly dots?: boolean } = {},
): string | undefined {
  const { name, description, handler } = tool ?? {};
  const plain = dots && typeof name === "string" ? name.replaceAll(".", "_") : name;
  if (!isToolName(plain)) return `needs a name of ${TOOL_NAME_RULE}${dots ? ", or dots" : ""}`;
  if (typeof description !== "string" || description.trim() === "") return "needs a description";
  if (typeof handler !== "function") return "needs a handler function";
  return undefined;
}
