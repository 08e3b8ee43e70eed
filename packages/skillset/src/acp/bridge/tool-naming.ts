import { acpProgramCalled } from "../../agents/find-agent.ts";

/** How an agent presents the tools of an MCP server to its model. */
export interface ToolNaming {
  /** The name that the model sees. */
  name(server: string, tool: string): string;
  /** A suffix for prose that names the server where the tool name alone is ambiguous; empty otherwise. */
  owner(server: string): string;
}

/** Returns how the named agent presents our tools. Without MCP, the tools keep their plain names. */
export function namingOf(agent: string, { hasMcp }: { readonly hasMcp: boolean }): ToolNaming {
  if (!hasMcp) return { name: (_server, tool) => tool, owner: () => "" };
  const { toolName } = acpProgramCalled(agent) ?? {};
  if (toolName !== undefined) return { name: toolName, owner: () => "" };
  return { name: (_server, tool) => tool, owner: (server) => ` of the MCP server \`${server}\`` };
}
