import { nearestWord } from "../text/nearest-word.ts";
import { schemaFaultOf } from "./schema-fault.ts";
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
  if (typeof handler !== "function") return `requires a handler function${renamed(tool, "execute", "handler")}`;
  return schemaFault(tool);
}

/** A schema under the name that an SDK has for it, or a misspelt one, would be lost, as would one that models cannot see. */
export function schemaFault(tool: { readonly inputSchema?: unknown } | undefined): string | undefined {
  const field = SCHEMA_NAMES.find((name) => tool !== undefined && name in tool) ?? misspeltSchema(tool);
  if (field !== undefined) return `has '${field}': rename it to 'inputSchema'`;
  const fault = tool?.inputSchema === undefined ? undefined : schemaFaultOf(tool.inputSchema);
  return fault === undefined ? undefined : `has an 'inputSchema' ${fault}`;
}

const SCHEMA_NAMES = ["parameters", "input_schema", "schema"];

/** Other fields are accepted: tools are often made from those of an SDK, which has more. */
function misspeltSchema(tool: { readonly inputSchema?: unknown } | undefined): string | undefined {
  if (tool === undefined || tool.inputSchema !== undefined) return undefined;
  const names = Object.keys(tool).filter((name) => !["inputSchema", "outputSchema"].includes(name));
  return names.find((name) => nearestWord(name, ["inputSchema", "outputSchema"]) === "inputSchema");
}

function renamed(tool: object | undefined, from: string, to: string): string {
  return tool !== undefined && from in tool ? `: rename '${from}' to '${to}'` : "";
}
