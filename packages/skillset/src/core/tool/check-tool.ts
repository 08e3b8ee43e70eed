import type { Tool } from "./tool.ts";
import { isToolName, TOOL_NAME_RULE } from "./tool-name.ts";

/** Returns why the tool is invalid, as the predicate of a sentence. JavaScript callers may pass anything. */
export function faultOf(
  tool: { readonly [Key in keyof Tool]?: unknown } | undefined,
  { dots = false }: { readonly dots?: boolean } = {},
): string | undefined {
  const { name, description, handler } = tool ?? {};
  const plain = dots && typeof name === "string" ? name.replaceAll(".", "_") : name;
  if (!isToolName(plain)) return `requires a name of ${TOOL_NAME_RULE}${dots ? ", or dots" : ""}`;
  if (typeof description !== "string" || description.trim() === "") return "requires a description";
  if (typeof handler !== "function") return "requires a handler function";
  return undefined;
}
