// What sections need files for. In browsers and workers, `node-only.web.ts` replaces it.
export { AgentSkillsSection, type AgentSkillsSectionOptions, type SkillMount } from "./agent-skills-section.ts";
export { installItems } from "./install-items.ts";
export { PromptSkills } from "./prompt-skills.ts";
export { SkillRef, type SkillRefOptions } from "./skill-ref.ts";
