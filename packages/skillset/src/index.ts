export { SkillError, type SkillErrorCode, SkillValidationError } from "./core/base/errors.ts";
export { LIMITS } from "./core/base/limits.ts";
export type { Problem, ProblemCode } from "./core/base/problem.ts";
export type { Catalog, CatalogOptions } from "./core/catalog/catalog.ts";
export type { SessionState } from "./core/conversation/state.ts";
export { MemorySessionStore, type SessionStore } from "./core/conversation/store.ts";
export { parseSkillMd } from "./core/manifest/parse.ts";
export type { UnmetRequirement } from "./core/manifest/requirements.ts";
export type { EmbeddingCache, EmbeddingOptions, EmbedFunction } from "./core/search/embedding.ts";
export type { RankedSkill } from "./core/search/rank.ts";
export type { Activation } from "./core/session/activation.ts";
export type { ToolDecision } from "./core/session/check-call.ts";
export type { LedgerEntry } from "./core/session/ledger.ts";
export type { SessionOptions } from "./core/session/options.ts";
export type { SkillPreview } from "./core/session/preview.ts";
export { type SkillUsage, usageOf } from "./core/session/usage.ts";
export type { Session } from "./core/session.ts";
export { defineSkill } from "./core/skill/define-skill.ts";
export { toSkillMd } from "./core/skill/serialise.ts";
export {
  isStored,
  type Skill,
  type SkillFile,
  type SkillTool,
  type SkillToolContext,
  type StoredSkill,
  type VirtualSkill,
} from "./core/skill/skill.ts";
export { type ReadSnapshotFile, restoreSkill, type SkillSnapshot, snapshotSkill } from "./core/skill/skill-snapshot.ts";
export type { ReloadResult, Skillset, SkillsetWatcher } from "./core/skillset.ts";
export type { FilterOptions, SkillEntry } from "./core/source/select.ts";
export type { SkillSource, SourceEntry, SourceFile } from "./core/source/source.ts";
export { estimateTokens, type TokenCounter } from "./core/text/tokens.ts";
export type { AnySchema, JsonSchema } from "./core/tool/standard-schema.ts";
export { defineTool, type Tool, type ToolContext } from "./core/tool/tool.ts";
export { defineToolset, type Toolset } from "./core/tool/toolset.ts";
export type { Turn } from "./core/turn/turn.ts";
export { type CreateSkillsetOptions, createSkillset, type SkillInput, standardFolders } from "./load.ts";
