import type { CatalogOptions, Session, SessionOptions, Skillset, Tool } from "skillset";
import type { OperationOptions } from "skillset/adapter";
import type { ToolCall } from "../model/script.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";

/** One behaviour that every adapter must have. */
export interface ContractScenario {
  /** A short id, which stays the same when the title is reworded. */
  readonly id: string;
  /** A sentence that is true of an adapter that passes. */
  readonly title: string;
  /** A capability that the scenario needs. An adapter without it has the reason in `lacks`. */
  readonly needs?: Capability;
  /** Runs a real agent against a scripted model. Rejects with an `AssertionError` if the behaviour differs. */
  run(adapter: ContractAdapter): Promise<void>;
}

export type Capability =
  /** `/name words` at the start of a message activates the skill. */
  | "invocation"
  /** A skill that a user invokes stays active. */
  | "invoked-active"
  /** Each tool of an active skill is a separate function. */
  | "own-tools"
  /** Instructions are part of the prompt, for models without tools. */
  | "inject"
  /** The session sees each request, so that instructions are not sent twice. */
  | "observe"
  /** Later turns report changes since the start of the conversation. */
  | "notice"
  /** The host can leave out earlier messages. */
  | "history"
  /** Shortened histories keep the instructions of active skills. */
  | "compaction"
  /** Without skills, the model gets no operations. */
  | "empty-offer"
  /** The host may write its system prompt in another place than `instructions`, which the adapter does not set. */
  | "other-system"
  /** The host has its own functions besides the skills. */
  | "host-tools"
  /** The adapter runs the host's functions, so that skills can restrict them. */
  | "host-rules"
  /** A session is saved to a store and restored. */
  | "store"
  /** Instructions have a budget. */
  | "budget"
  /** The model gets images that it reads. */
  | "files"
  /** The model gets data, such as CSV, as files. */
  | "data-files";

/** An adapter under test, and how to build an agent with it. */
export interface ContractAdapter {
  /** Name of the adapter in test titles. */
  readonly name: string;
  /**
   * Capabilities that the adapter lacks, each with the reason.
   * @default {}
   */
  readonly lacks?: Partial<Readonly<Record<Capability, string>>>;
  /**
   * Returns the call with which the model calls a skill's tool.
   * @default a function named after the skill and the tool
   */
  toolCall?(skill: string, tool: string, input: Readonly<Record<string, unknown>>): ToolCall;
  /** Returns a request without the agent's additions, such as prefixes of tool names. */
  view?(request: ReceivedRequest): ReceivedRequest;
  /** Builds an agent in the same way as a user of the adapter. */
  start(setup: ContractSetup): Promise<ContractAgent>;
}

export interface ContractSetup {
  /** The skills of the conversation. */
  readonly skills: Skillset;
  /** URL of the scripted model. The base URL for an OpenAI client is this plus `/v1`. */
  readonly modelUrl: string;
  /** The host's own system prompt. */
  readonly instructions?: string;
  /** The same, in the other place that the SDK has for it, such as `system` or a message. Never with `instructions`. */
  readonly system?: string;
  /** The host's own functions. */
  readonly tools?: readonly Tool[];
  /** Options for the session, such as its store and limits. */
  readonly session?: SessionOptions;
  /** Options for the catalog, such as its format. */
  readonly catalog?: CatalogOptions;
  /** Describes skills that fit the user's message and that the catalog does not describe. */
  readonly suggest?: boolean;
  /** Options for the operations, such as aliases. */
  readonly operations?: OperationOptions;
  /**
   * Whether the model calls tools, or gets instructions in the prompt.
   * @default "tools"
   */
  readonly mode?: "tools" | "inject";
  /** Skills whose instructions every prompt contains, with mode "inject". */
  readonly inject?: readonly string[];
}

/** One conversation. */
export interface ContractAgent {
  readonly session: Session;
  /** Sends a user's message and returns the model's answer. Rejects if the model fails or the signal is aborted. */
  say(text: string, options?: SayOptions): Promise<string>;
  close(): Promise<void>;
}

export interface SayOptions {
  /** Aborts the turn. */
  readonly signal?: AbortSignal;
  /** What to do with the earlier messages: leave them out, or shorten them to a budget. Kept if omitted. */
  readonly history?: "drop" | { readonly tokens: number };
}
