export { type AgentSkills, type AgentSkillsOptions, type AgentSkillsRequest, withSkills } from "./with-skills.ts";
