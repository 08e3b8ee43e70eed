export type { SkillMetadata } from "../compat/views.ts";
export { PromptValidationError, SkillRefError, type SkillRefReason } from "../core/base/errors.ts";
export { defineTool, type Tool, type ToolContext } from "../core/tool/tool.ts";
export type { InstallAllSkillsOptions, InstalledSkills } from "./install-prompt-skills.ts";
export {
  type OpenedSections,
  type OpenSectionsOptions,
  openSections,
  openSectionsTool,
  VisibilityExpansionRequired,
} from "./open-sections.ts";
export { Prompt, type RenderOptions, type StartPromptOptions } from "./prompt.ts";
export {
  type LoadOverridesOptions,
  PromptOverrideStore,
  type PromptOverrideStoreOptions,
  type StaleOverride,
} from "./prompt-override-store.ts";
export type { PromptResponse } from "./prompt-response.ts";
export type { PromptEnd, PromptRun, PromptRunOptions } from "./prompt-run.ts";
export { PromptTemplate, type PromptTemplateOptions } from "./prompt-template.ts";
export { type ReadSection, readSection, readSectionTool } from "./read-section.ts";
export type { RenderedPrompt } from "./rendered-prompt.ts";
export {
  type PromptEvent,
  type PromptEventListener,
  SkillActivated,
  SkillExpanded,
  SkillsInstalled,
} from "./section/events.ts";
export { MarkdownSection, type MarkdownSectionOptions } from "./section/markdown-section.ts";
export {
  AgentSkillsSection,
  type AgentSkillsSectionOptions,
  type SkillMount,
  SkillRef,
  type SkillRefOptions,
} from "./section/node-only.ts";
export type { RenderedSection, RenderedSkill } from "./section/render-sections.ts";
export {
  type ListedSkills,
  type RenderContext,
  Section,
  type SectionOptions,
  type SectionVisibility,
  type SkillFolder,
  type SkillMode,
  type VisibilitySelector,
} from "./section/section.ts";
export type { SectionToolContext } from "./section/section-tool.ts";
export { SkillSection, type SkillSectionOptions } from "./section/skill-section.ts";
export {
  type InstallSectionOptions,
  type PromptSkill,
  SkillsSection,
  type SkillsSectionOptions,
} from "./section/skills-section.ts";
export type { HostMount } from "./workspace/workspace-mounts.ts";
export {
  type OpenWorkspaceOptions,
  WorkspaceSection,
  type WorkspaceSectionOptions,
} from "./workspace/workspace-section.ts";
