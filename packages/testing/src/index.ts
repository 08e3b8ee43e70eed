export { type ScriptedAgent, type ScriptedAgentOptions, startScriptedAgent } from "./agent/scripted-agent.ts";
export { adapterContract } from "./contract/contract.ts";
export type {
  Capability,
  ContractAdapter,
  ContractAgent,
  ContractScenario,
  ContractSetup,
  SayOptions,
} from "./contract/contract-adapter.ts";
export type {
  ContractEvaluator,
  EvaluatorCapability,
  EvaluatorOptions,
  EvaluatorScenario,
  EvaluatorSetup,
  ListedSkill,
  StartedEvaluator,
} from "./evaluator-contract/contract-evaluator.ts";
export { evaluatorContract } from "./evaluator-contract/evaluator-contract.ts";
export type { EarlyFinish, FaultCode, ScriptFault, ScriptReply, ScriptStep, ToolCall } from "./model/script.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./model/scripted-model.ts";
export { scriptRunnerContract } from "./runner-contract/runner-contract.ts";
export type { ContractRunner, RunnerCapability, RunnerScenario } from "./runner-contract/runner-contract-place.ts";
export { sourceContract } from "./source-contract/source-contract.ts";
export type {
  ContractFiles,
  ContractSource,
  OpenedSource,
  SourceCapability,
  SourceScenario,
} from "./source-contract/source-contract-place.ts";
export type { FileView, ModelMessage, ReceivedRequest, ToolResultView, WireName } from "./wire/model-request.ts";
