import type { AgentHome } from "../../agents/agent-definition.ts";
import { type AgentNameWith, agentWith } from "../../agents/find-agent.ts";
import { SkillError } from "../../core/base/errors.ts";

/** Agents with a known home. */
export type HomeAgentName = AgentNameWith<"home">;

/** An agent's name, or for other agents the folder in their home with skills. */
export type HomeAgent = HomeAgentName | OtherAgent;

export interface OtherAgent {
  /** The folder relative to the home, such as `.x/skills`. */
  readonly skillsFolder: string;
  /** Environment variables for the agent. */
  readonly env?: Readonly<Record<string, string>>;
}

export function homeOf(agent: HomeAgent): AgentHome {
  if (typeof agent === "string") return agentWith("home", agent, "{ skillsFolder }").home;
  const { skillsFolder } = agent;
  if (/^$|^[/\\~]|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(skillsFolder))
    throw new SkillError("option-invalid", `'${skillsFolder}' is not a folder below the agent's home.`);
  return { skills: skillsFolder };
}
