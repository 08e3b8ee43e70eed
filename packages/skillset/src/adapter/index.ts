// The building blocks of SDK adapters, besides `session.turn()`. The adapters in this package import nothing else.

export {
  type CompactedHistory,
  type CompactHistoryOptions,
  compactHistory,
  type HistoryMessage,
} from "../core/compact/compact.ts";
export {
  type CompactRequestOptions,
  compactRequest,
  type RequestSurroundings,
} from "../core/compact/compact-request.ts";
export {
  type CompactedMessages,
  type CompactMessagesOptions,
  compactWith,
  type MessageReading,
  type MessageShape,
} from "../core/compact/compact-with.ts";
export { sessionOf } from "../core/conversation-of.ts";
export {
  createOperations,
  mayRestrict,
  readResultFile,
  recordActivation,
  requireTool,
} from "../core/in-session.ts";
export type { ReadInstructions } from "../core/operations/activate-read.ts";
export type { OperationAlias, OperationOptions } from "../core/operations/bind-operations.ts";
export type { ModelTool, OperationTool } from "../core/operations/model-tool.ts";
export type { OperationData, OperationId } from "../core/operations/operation-data.ts";
export { type Invocation, parseInvocations } from "../core/session/invocation.ts";
export { nearestNames } from "../core/session/nearest-names.ts";
export type { FollowedOperation, SessionTelemetry, TelemetryAttributes } from "../core/session/telemetry.ts";
export { checkOptions, type OptionTable } from "../core/text/check-options.ts";
export { describeValue } from "../core/text/describe-value.ts";
export { isOperationResult, type OperationResult, type PreparedTool } from "../core/tool/model-tool.ts";
export { type ResultFile, toResultFile } from "../core/tool/result-file.ts";
export { goneText } from "../core/turn/gone-texts.ts";
export type {
  InvokedSkill,
  SentMessage,
  TurnCall,
  TurnMessage,
  TurnOptions,
  TurnResult,
  TurnStep,
} from "../core/turn/turn.ts";
export { type CallChecks, checkCall } from "./check-call.ts";
export { contentText, mapContent, replaceContent } from "./content.ts";
export {
  conductPrompt,
  conductRuns,
  type EvaluatePromptOptions,
  type PromptAnswer,
} from "./evaluate-prompt.ts";
export {
  estimateFileTokens,
  fileName,
  fileText,
  isDocumentType,
  isImageType,
  toBase64,
  toDataUrl,
} from "./files.ts";
export { type HostTool, toModelTools } from "./host-tools.ts";
export { loadPeer, type PeerVersions, requireFeatures } from "./load-peer.ts";
export { checkMaxSteps } from "./max-steps.ts";
export {
  type CallResult,
  type FunctionCall,
  type ModelApi,
  type ModelLoopOptions,
  type ModelReply,
  type ModelRequest,
  type ModelRun,
  RunError,
  type RunFinish,
  type RunOptions,
  runModelLoop,
  type WithoutSession,
} from "./model-loop.ts";
export { type NativeTurn, openNativeTurn, type TurnShape } from "./native-turn.ts";
export { ADAPTER_OPTIONS, RUN_OPTIONS } from "./option-tables.ts";
