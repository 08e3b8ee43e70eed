import { acpProgramCalled } from "../../agents/find-agent.ts";

/** How an agent shows the tools of an MCP server to its model. */
export interface ToolNaming {
  /** The name that the model sees. */
  name(server: string, tool: string): string;
  /** Follows the name in a sentence, where the name alone may be another tool's; empty otherwise. */
  owner(server: string): string;
}

/** How the agent of this name shows our tools; one that has no MCP is told their plain names. */
export function namingOf(agent: string, { hasMcp }: { readonly hasMcp: boolean }): ToolNaming {
  if (!hasMcp) return { name: (_server, tool) => tool, owner: () => "" };
  const { toolName } = acpProgramCalled(agent) ?? {};
  if (toolName !== undefined) return { name: toolName, owner: () => "" };
  return { name: (_server, tool) => tool, owner: (server) => ` of the MCP server \`${server}\`` };
}
