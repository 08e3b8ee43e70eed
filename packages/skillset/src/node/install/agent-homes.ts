import type { AgentHome } from "../../agents/agent-definition.ts";
import { type AgentNameWith, agentWith } from "../../agents/find-agent.ts";
import { SkillError } from "../../core/base/errors.ts";

/** Agents whose homes are known. */
export type HomeAgentName = AgentNameWith<"home">;

/** An agent by name, or where any other one looks for skills in its home. */
export type HomeAgent = HomeAgentName | OtherAgent;

export interface OtherAgent {
  /** From the home, such as `.x/skills`. */
  readonly skillsFolder: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function homeOf(agent: HomeAgent): AgentHome {
  if (typeof agent === "string") return agentWith("home", agent, "{ skillsFolder }").home;
  const { skillsFolder } = agent;
  if (/^$|^[/\\~]|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(skillsFolder))
    throw new SkillError("option-invalid", `'${skillsFolder}' is not a folder below the agent's home.`);
  return { skills: skillsFolder };
}
