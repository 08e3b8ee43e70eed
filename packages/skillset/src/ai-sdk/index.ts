export { compactMessages } from "./compact-messages.ts";
export { type SkillTools, type WithSkills, type WithSkillsOptions, withSkills } from "./with-skills.ts";
