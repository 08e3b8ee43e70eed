export { type AgentSkills, type AgentSkillsOptions, withAgentSkills } from "./agents.ts";
