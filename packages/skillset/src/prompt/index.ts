export { AgentSkillsSection, type AgentSkillsSectionOptions, type SkillMount } from "./agent-skills-section.ts";
export {
  type PromptEvent,
  type PromptEventListener,
  SkillActivated,
  SkillExpanded,
  SkillsInstalled,
} from "./events.ts";
export type { InstalledSkills, InstallPromptSkillsOptions } from "./install-prompt-skills.ts";
export { MarkdownSection, type MarkdownSectionOptions } from "./markdown-section.ts";
export {
  type OpenedSections,
  type OpenSectionsOptions,
  type OpenSectionsTool,
  openSections,
  openSectionsTool,
  VisibilityExpansionRequired,
} from "./open-sections.ts";
export { Prompt, type RenderOptions } from "./prompt.ts";
export { PromptTemplate, type PromptTemplateOptions } from "./prompt-template.ts";
export type { RenderedSection, RenderedSkill } from "./render-sections.ts";
export type { RenderedPrompt } from "./rendered-prompt.ts";
export { Section, type SectionOptions, type SectionVisibility, type VisibilitySelector } from "./section.ts";
export { defineTool, type PromptTool, type PromptToolContext, type SectionTool } from "./section-tool.ts";
export { SkillRef, type SkillRefOptions } from "./skill-ref.ts";
export { SkillSection, type SkillSectionOptions } from "./skill-section.ts";
export {
  type InstallSkillsOptions,
  type PromptSkill,
  SkillsSection,
  type SkillsSectionOptions,
} from "./skills-section.ts";
