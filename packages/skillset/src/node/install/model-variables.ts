import type { AgentHome } from "../../agents/agent-definition.ts";

/** Returns the variables of this program's environment with which an agent in a separate home reaches its model. */
export function modelVariables({ modelVariables: names = [] }: AgentHome): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
