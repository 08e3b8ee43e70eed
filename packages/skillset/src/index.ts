export {
  SkillContextProvider,
  type SkillContextProviderOptions,
  type SkillResourceType,
} from "./compat/context-provider.ts";
export {
  PromptValidationError,
  SkillError,
  type SkillErrorCode,
  SkillInstallationError,
  SkillRefError,
  type SkillRefReason,
  SkillValidationError,
} from "./core/base/errors.ts";
export { LIMITS } from "./core/base/limits.ts";
export type { Problem, ProblemCode, Severity } from "./core/base/problem.ts";
export type { Catalog, CatalogBudget, CatalogOptions } from "./core/catalog/catalog.ts";
export type { CatalogFormat } from "./core/catalog/catalog-format.ts";
export type { CatalogLocation } from "./core/catalog/catalog-location.ts";
export {
  type CompactedHistory,
  type CompactHistoryOptions,
  compactHistory,
  type HistoryMessage,
} from "./core/compact/compact.ts";
export { createOperations } from "./core/create-operations.ts";
export { type SkillManifest, SkillManifestSchema } from "./core/manifest/manifest-schema.ts";
export { type ParsedSkillMd, type ParseOptions, parseSkillMd } from "./core/manifest/parse.ts";
export type { PolicyName, PolicyOptions, UnknownFields } from "./core/manifest/policy.ts";
export type { OperationId } from "./core/operations/all.ts";
export type { OperationAlias, OperationOptions, SkillOperation } from "./core/operations/bind-operations.ts";
export type { OperationResult } from "./core/operations/operation.ts";
export type { RankedSkill } from "./core/search/rank.ts";
export type { Activation } from "./core/session/activation.ts";
export { type Invocation, parseInvocation } from "./core/session/invocation.ts";
export type { ActivatedBy, LedgerEntry, LedgerEvent, LedgerListener } from "./core/session/ledger.ts";
export type { ActivateOptions, FileReading, SessionLimits, SessionOptions } from "./core/session/options.ts";
export type { PreviewOptions, PreviewReading, SkillPreview } from "./core/session/preview.ts";
export {
  type DescribedSkills,
  MemorySessionStore,
  type SessionState,
  type SessionStore,
  type StoredActivation,
  type StoredCatalog,
  type StoredInstructions,
  type StoredNotice,
} from "./core/session/store.ts";
export type { FollowedOperation, SessionTelemetry, TelemetryAttributes } from "./core/session/telemetry.ts";
export { type SkillUsage, usageOf } from "./core/session/usage.ts";
export type { Session } from "./core/session.ts";
export type { Collision, FilterOptions, SelectOptions, SkillEntry } from "./core/set/select.ts";
export type { SkillSource, SourceEntry, SourceFile, SourceWatcher } from "./core/set/source.ts";
export {
  type SkillDefinition,
  type SkillToolDefinition,
  skill,
  skill as defineSkill,
} from "./core/skill/define-skill.ts";
export type { FileContent } from "./core/skill/memory-files.ts";
export { type SkillMdSource, toSkillMd } from "./core/skill/serialise.ts";
export {
  type FileStamp,
  type FolderOrigin,
  type InlineOrigin,
  isStored,
  type McpOrigin,
  type ReadOptions,
  type Skill,
  type SkillFile,
  type SkillFiles,
  type SkillOrigin,
  type SkillScope,
  type SkillTool,
  type SkillToolContext,
  type SkillToolHandler,
  type SourceOrigin,
  type StoredSkill,
  type VirtualSkill,
} from "./core/skill/skill.ts";
export {
  type DiscoveredSkill,
  type SkillMetadata,
  type SkillRecord,
  toDiscoveredSkill,
  toSkillMetadata,
  toSkillRecord,
} from "./core/skill/views.ts";
export type {
  RankOptions,
  ReloadOptions,
  ReloadResult,
  Skillset,
  SkillsetChanges,
  SkillsetWatcher,
  WatchListener,
  WatchOptions,
} from "./core/skillset.ts";
export { estimateTokens, type TokenCounter } from "./core/text/tokens.ts";
export type { ToolResult } from "./core/tool/call-tool.ts";
export type {
  JsonSchema,
  SkillToolSchema,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./core/tool/standard-schema.ts";
export type { TurnTool } from "./core/turn/tools.ts";
export type { InvokedSkill, SentMessage, Turn, TurnMessage, TurnOptions, TurnStep } from "./core/turn/turn.ts";
export { type CreateSkillsetOptions, createSkillset } from "./node/load/create-skillset.ts";
export {
  type FolderSource,
  optionalFolders,
  type SkillInput,
  type StandardFoldersOptions,
  standardFolders,
} from "./node/load/sources.ts";
