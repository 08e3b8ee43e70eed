import type { Session } from "skillset";
import type { Prompt, PromptEventListener, PromptResponse } from "skillset/prompt";
import type { ScriptOptions } from "skillset/scripts";
import type { ToolCall } from "../model/script.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";

/** One behaviour that every evaluator of prompts must have. */
export interface EvaluatorScenario {
  /** A short id, which stays the same when the title is reworded. */
  readonly id: string;
  /** A sentence that is true of an evaluator that passes. */
  readonly title: string;
  /** A capability that the scenario needs. An evaluator without it has the reason in `lacks`. */
  readonly needs?: EvaluatorCapability;
  /** Evaluates prompts with a scripted model. Rejects with an `AssertionError` if the behaviour differs. */
  run(evaluator: ContractEvaluator): Promise<void>;
}

export type EvaluatorCapability =
  /** Each request offers the tools of the sections that are open at that time. */
  | "growing-tools"
  /** A JSON block in the answer counts as the output. */
  | "written-output"
  /** The model loads listed skills with tools, so that it can also search them. */
  | "skill-search"
  /** Images in the results of the prompt's tools reach the model as images. */
  | "files"
  /** The evaluator learns that the model rejected a request. */
  | "model-errors"
  /** The evaluator learns that the model's answer was cut off, or that the model refused. */
  | "early-finish"
  /** The evaluator learns that an answer cannot be read. */
  | "unreadable-answer"
  /** The number of requests is limited. */
  | "max-steps";

/** An evaluator under test. */
export interface ContractEvaluator {
  /** Name of the evaluator in test titles. */
  readonly name: string;
  /**
   * Capabilities that the evaluator lacks, each with the reason.
   * @default {}
   */
  readonly lacks?: Partial<Readonly<Record<EvaluatorCapability, string>>>;
  /**
   * Whether the agent sends requests besides those of the conversation, such as for a title. The scripted model then
   * distinguishes them.
   * @default false
   */
  readonly hasSideRequests?: boolean;
  /**
   * Returns the name under which the agent's model calls a tool of the prompt.
   * @default the name itself
   */
  toolName?(name: string): string;
  /**
   * Returns the call with which the model calls a tool of a section that it opened.
   * @default the tool itself
   */
  openedCall?(tool: string, input: Readonly<Record<string, unknown>>): ToolCall;
  /**
   * Returns the call with which the model returns structured output.
   * @default return_result
   */
  outputCall?(output: Readonly<Record<string, unknown>>): ToolCall;
  /**
   * Returns the call with which the model loads a skill that the prompt lists.
   * @default activate_skill
   */
  loadCall?(skill: ListedSkill): ToolCall;
  /**
   * Returns the call with which the model reads a file of a skill that the prompt lists.
   * @default read_skill_file
   */
  fileCall?(skill: ListedSkill, path: string): ToolCall;
  /** Returns a request without the agent's additions, such as prefixes of tool names. */
  view?(request: ReceivedRequest): ReceivedRequest;
  /** Creates an evaluator in the same way as its users do. */
  start(setup: EvaluatorSetup): Promise<StartedEvaluator>;
}

/** A skill of an `AgentSkillsSection`. */
export interface ListedSkill {
  readonly name: string;
  /** The absolute path of its folder, in the working folder. */
  readonly folder: string;
}

export interface EvaluatorSetup {
  /** URL of the scripted model. The base URL for an OpenAI client is this plus `/v1`. */
  readonly modelUrl: string;
  /** The working folder for agents that have one. Listed skills are in its folder `skills`. */
  readonly folder: string;
}

export interface StartedEvaluator {
  /** Evaluates a prompt. Rejects if the model fails or the signal is aborted. */
  evaluate<Output>(
    // biome-ignore lint/suspicious/noExplicitAny: a prompt with any parameters
    prompt: Prompt<any, Output>,
    options: EvaluatorOptions,
  ): Promise<PromptResponse<Output>>;
  close(): Promise<void>;
}

/** The options that every evaluation accepts. */
export interface EvaluatorOptions {
  readonly session?: Session;
  readonly onEvent?: PromptEventListener;
  readonly enabledSkills?: readonly string[];
  readonly overrides?: Readonly<Record<string, string>>;
  readonly scripts?: ScriptOptions;
  readonly signal?: AbortSignal;
  /** The maximum number of requests. */
  readonly maxSteps?: number;
}
