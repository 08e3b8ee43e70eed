import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ServedTool } from "../serving/serve-tools.ts";

/** The MCP servers that an agent is given. */
export const SKILLS_SERVER = "skillset";
export const THINK_SERVER = "think";

/** What agents say of a call, as far as they say it. */
type AnnouncedCall = Pick<ToolCallUpdate, "title" | "name" | "kind" | "rawInput">;

/** Our tools, and which arguments each takes; `any` for those that take whatever they are given. */
type ArgumentNames = ReadonlyMap<string, readonly string[] | "any">;

export function argumentNames(tools: readonly ServedTool[]): ArgumentNames {
  return new Map(
    tools.map(({ name, inputSchema: { properties } }) => [
      name,
      typeof properties === "object" && properties !== null ? Object.keys(properties) : "any",
    ]),
  );
}

/**
 * Which of our tools an agent is about to call, when it names it together with our server as it names MCP tools. The
 * words of a command or a file name never pass for it: those calls have a kind of their own, and other input.
 */
export function ownToolOf(call: AnnouncedCall, names: ArgumentNames): string | undefined {
  if (call.kind != null && !HARMLESS.has(call.kind)) return undefined;
  for (const said of [call.name, call.title]) {
    const [, tool = ""] = QUALIFIED.exec(said ?? "") ?? REVERSED.exec(said ?? "") ?? [];
    const taken = names.get(tool);
    if (taken !== undefined && hasOnly(call.rawInput, taken)) return tool;
  }
  return undefined;
}

/** The same for an agent that has no MCP, and so names a tool as the prompt does. */
export function announcedToolOf(call: AnnouncedCall, names: ArgumentNames): string | undefined {
  return [call.name, call.title].find((said) => names.has(said ?? "")) ?? ownToolOf(call, names);
}

const HARMLESS: ReadonlySet<string> = new Set(["other", "think", "fetch", "read", "search"]);
/** `mcp__skillset__activate_skill`, `mcp_skillset_…`, `skillset_…`, `skillset.…`, `skillset/…`. */
const QUALIFIED = /^(?:mcp_{1,2})?(?:skillset|think)(?:_{1,2}|[./:])([A-Za-z0-9_-]+)$/;
/** `activate_skill (skillset MCP Server)`. */
const REVERSED = /^([A-Za-z0-9_-]+) \((?:skillset|think) MCP Server\)$/;

function hasOnly(input: unknown, names: readonly string[] | "any"): boolean {
  if (input == null || names === "any") return true;
  return typeof input === "object" && Object.keys(input).every((key) => names.includes(key));
}
