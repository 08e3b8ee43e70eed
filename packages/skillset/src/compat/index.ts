// Names from other skill APIs, for programs written against them.
export { defineSkill as skill } from "../core/skill/define-skill.ts";
export {
  SkillContextProvider,
  type SkillContextProviderOptions,
  type SkillResourceType,
} from "./context-provider.ts";
export { type SkillManifest, SkillManifestSchema } from "./manifest-schema.ts";
export {
  type DiscoveredSkill,
  type SkillRecord,
  toDiscoveredSkill,
  toSkillMetadata,
  toSkillRecord,
} from "./views.ts";
