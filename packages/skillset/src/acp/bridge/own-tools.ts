import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { agentsWith } from "../../agents/find-agent.ts";
import { NAMES } from "../../core/base/limits.ts";
import type { ModelTool } from "../../core/operations/model-tool.ts";

/** The MCP servers that this library passes to an agent. */
const SERVERS = [NAMES.library, NAMES.thinkServer];

/** The fields in which agents describe a call. Not every agent sets all of them. */
type SaidCall = Pick<ToolCallUpdate, "title" | "name" | "kind" | "rawInput" | "_meta">;

/** Our tools and the argument names of each; `any` for tools without named arguments. */
type ArgumentNames = ReadonlyMap<string, readonly string[] | "any">;

export function argumentNames(tools: readonly ModelTool[]): ArgumentNames {
  return new Map(
    tools.map(({ name, inputSchema: { properties } }) => [name, properties ? Object.keys(properties) : "any"]),
  );
}

/**
 * Returns which of our tools an agent wants to call, if the call is certainly ours. Titles are ambiguous: a command's
 * title is the command, and a sub-agent's is written by the model. A title therefore counts only if the agent reports
 * nothing better and the call has no specific kind.
 */
export function ownToolOf(call: SaidCall, names: ArgumentNames): string | undefined {
  const named = viaMark(call) ?? viaName(call);
  if (named !== undefined) return names.has(named.tool) ? named.tool : undefined;
  const tool = viaTitle(call, names);
  const taken = names.get(tool);
  return taken !== undefined && hasOnly(call.rawInput, taken) ? tool : undefined;
}

/** Like `ownToolOf`, for agents without MCP, which use the tool names from the prompt. */
export function announcedToolOf(call: SaidCall, names: ArgumentNames): string | undefined {
  // A command may have the same name as a tool.
  const said = call.kind == null || call.kind === "other" ? [call.name, call.title] : [call.name];
  return said.find((one) => names.has(one ?? "")) ?? ownToolOf(call, names);
}

/** Some agents mark calls of MCP tools, and report the server and the tool separately. */
function viaMark(call: SaidCall): { readonly tool: string } | undefined {
  for (const { acp } of agentsWith("acp")) {
    const marked = acp.markedCall?.(call);
    if (marked !== undefined)
      return { tool: SERVERS.some((name) => name === marked.server) ? String(marked.tool) : "" };
  }
  return undefined;
}

/** Some agents report the tool's name in addition to the title. */
function viaName({ name }: SaidCall): { readonly tool: string } | undefined {
  return name == null ? undefined : { tool: QUALIFIED.exec(name)?.[1] ?? "" };
}

function viaTitle({ title, kind }: SaidCall, names: ArgumentNames): string {
  if (title == null || (kind != null && kind !== "other")) return "";
  return QUALIFIED.exec(title)?.[1] ?? [...names.keys()].find((tool) => isTitleOf(tool, title)) ?? "";
}

function isTitleOf(tool: string, title: string): boolean {
  return agentsWith("acp").some(({ acp }) => SERVERS.some((server) => acp.callTitle?.(server, tool) === title));
}

/** The common forms: `mcp__skillset__activate_skill`, `skillset_activate_skill`, `skillset.activate_skill`. */
const QUALIFIED = new RegExp(`^(?:mcp__)?(?:${SERVERS.join("|")})(?:__|[_.])([A-Za-z0-9_-]+)$`);

function hasOnly(input: unknown, names: readonly string[] | "any"): boolean {
  if (input == null) return true;
  if (typeof input !== "object" || Array.isArray(input)) return false;
  return names === "any" || Object.keys(input).every((key) => names.includes(key));
}
