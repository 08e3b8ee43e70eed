export type { Activation } from "./core/activation.ts";
export type { ToolResult } from "./core/call-tool.ts";
export type { Catalog, CatalogBudget, CatalogOptions } from "./core/catalog.ts";
export type { CatalogFormat } from "./core/catalog-format.ts";
export type { CatalogLocation } from "./core/catalog-location.ts";
export { type Compacted, type CompactOptions, compact, type Message } from "./core/compact.ts";
export {
  SkillContextProvider,
  type SkillContextProviderOptions,
  type SkillResourceType,
} from "./core/context-provider.ts";
export { type SkillDefinition, type SkillToolDefinition, skill, skill as defineSkill } from "./core/define-skill.ts";
export {
  PromptValidationError,
  SkillError,
  type SkillErrorCode,
  SkillInstallationError,
  SkillRefError,
  type SkillRefReason,
  SkillValidationError,
} from "./core/errors.ts";
export { type Invocation, parseInvocation } from "./core/invocation.ts";
export type { ActivatedBy, LedgerEntry, LedgerEvent, LedgerListener } from "./core/ledger.ts";
export { LIMITS } from "./core/limits.ts";
export { SkillManifestSchema } from "./core/manifest-schema.ts";
export type { FileContent } from "./core/memory-files.ts";
export type { OperationId } from "./core/operations/all.ts";
export type { OperationAlias, OperationOptions, SkillOperation } from "./core/operations/bind-operations.ts";
export { createOperations } from "./core/operations/create-operations.ts";
export type { OperationResult } from "./core/operations/operation.ts";
export { type ParsedSkillMd, type ParseOptions, parseSkillMd } from "./core/parse.ts";
export type { PolicyName, PolicyOptions, UnknownFields } from "./core/policy.ts";
export type { PreviewOptions, PreviewReading, SkillPreview } from "./core/preview.ts";
export type { Problem, ProblemCode, Severity } from "./core/problem.ts";
export type { RankedSkill } from "./core/rank.ts";
export type { Collision, FilterOptions, SelectOptions, SkillEntry } from "./core/select.ts";
export { type SkillMdSource, toSkillMd } from "./core/serialise.ts";
export type { Session } from "./core/session.ts";
export type { ActivateOptions, FileReading, SessionLimits, SessionOptions } from "./core/session-options.ts";
export {
  type DescribedSkills,
  MemorySessionStore,
  type SessionState,
  type SessionStore,
  type StoredActivation,
  type StoredCatalog,
  type StoredInstructions,
  type StoredNotice,
} from "./core/session-store.ts";
export {
  type FileStamp,
  type FolderOrigin,
  type InlineOrigin,
  isStored,
  type JsonSchema,
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
  type SkillToolSchema,
  type SourceOrigin,
  type StoredSkill,
  type VirtualSkill,
} from "./core/skill.ts";
export type {
  RankOptions,
  Reload,
  ReloadOptions,
  Skillset,
  SkillsetChanges,
  SkillsetWatcher,
  WatchListener,
  WatchOptions,
} from "./core/skillset.ts";
export type { SkillSource, SourceEntry, SourceFile, SourceWatcher } from "./core/source.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./core/standard-schema.ts";
export type { FollowedOperation, SessionTelemetry, TelemetryAttributes } from "./core/telemetry.ts";
export { estimateTokens, type TokenCounter } from "./core/tokens.ts";
export type { InvokedSkill, SentMessage, Turn, TurnMessage, TurnOptions, TurnStep } from "./core/turn.ts";
export type { TurnTool } from "./core/turn-tools.ts";
export { type SkillUsage, usageOf } from "./core/usage.ts";
export {
  type DiscoveredSkill,
  type SkillManifest,
  type SkillMetadata,
  type SkillRecord,
  toDiscoveredSkill,
  toSkillMetadata,
  toSkillRecord,
} from "./core/views.ts";
export { type CreateSkillsetOptions, createSkillset } from "./node/create-skillset.ts";
export { directories, type FolderSource, type ScopeOptions, type SkillInput, scopes } from "./node/sources.ts";
