import { SkillError } from "../core/base/errors.ts";
import type { AcpProgram, AgentDefinition } from "./agent-definition.ts";
import { AGENTS } from "./all.ts";

/** The parts of a definition. Each is a feature that the library supports for an agent. */
export type AgentPart = Exclude<keyof AgentDefinition, "name">;

/** The names of the agents whose definitions have a part. */
export type AgentNameWith<Part extends AgentPart> = Extract<
  (typeof AGENTS)[number],
  { readonly [Key in Part]: object }
>["name"];

/** A definition that has a part. */
export type AgentWith<Part extends AgentPart> = AgentDefinition &
  Required<Pick<AgentDefinition, Part>> & { readonly name: AgentNameWith<Part> };

const DEFINITIONS: readonly AgentDefinition[] = AGENTS;

/** The definitions that have a part. */
export function agentsWith<Part extends AgentPart>(part: Part): readonly AgentWith<Part>[] {
  return DEFINITIONS.filter((agent) => has(part, agent));
}

export function agentNamesWith<Part extends AgentPart>(part: Part): readonly AgentNameWith<Part>[] {
  return agentsWith(part).map(({ name }) => name);
}

/** Returns the definition of an agent with this part. `instead` names the alternative for other agents, for the error. */
export function agentWith<Part extends AgentPart>(part: Part, name: string, instead: string): AgentWith<Part> {
  const found = DEFINITIONS.find((agent) => agent.name === name);
  if (found !== undefined && has(part, found)) return found;
  const problem = whyNot(part, name) ?? `Unknown agent '${name}'.`;
  const names = agentNamesWith(part).join(", ");
  throw new SkillError("agent-not-found", `${problem} Known agents: ${names}. Pass any other agent as ${instead}.`);
}

/** Returns why a known agent does not support a feature. Undefined if it does, or if the name is unknown. */
export function whyNot(part: AgentPart, name: string): string | undefined {
  const found = DEFINITIONS.find((agent) => agent.name === name);
  return found !== undefined && !has(part, found) ? LACKS[part](name) : undefined;
}

function has<Part extends AgentPart>(part: Part, agent: AgentDefinition): agent is AgentWith<Part> {
  return agent[part] !== undefined;
}

const LACKS: Readonly<Record<AgentPart, (name: string) => string>> = {
  acp: (name) => `'${name}' has no known program that speaks ACP.`,
  project: (name) => `'${name}' has no known folder for skills.`,
  home: (name) => `'${name}' has no known home.`,
  mcp: (name) => `'${name}' has no known settings for MCP servers.`,
};

/** Returns the known program that reports this name over ACP. */
export function acpProgramCalled(reportedName: string): AcpProgram | undefined {
  return agentsWith("acp").find(({ acp }) => acp.reportedName === reportedName)?.acp;
}
