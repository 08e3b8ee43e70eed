export { adapterContract } from "./contract.ts";
export type {
  Capability,
  ContractAdapter,
  ContractAgent,
  ContractScenario,
  ContractSetup,
  SayOptions,
} from "./contract-adapter.ts";
export type { ModelMessage, ModelRequest, ToolResultView, WireName } from "./model-request.ts";
export type { FaultCode, ScriptFault, ScriptReply, ScriptStep, ToolCall } from "./script.ts";
export { type ScriptedAgent, type ScriptedAgentOptions, startScriptedAgent } from "./scripted-agent.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./scripted-model.ts";
export { sourceContract } from "./source-contract.ts";
export type {
  ContractFiles,
  ContractSource,
  OpenedSource,
  SourceCapability,
  SourceScenario,
} from "./source-contract-place.ts";
