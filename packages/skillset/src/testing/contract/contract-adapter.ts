import type { OperationOptions } from "../../core/operations/bind-operations.ts";
import type { SessionOptions } from "../../core/session/options.ts";
import type { Session } from "../../core/session.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ToolCall } from "../model/script.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";

/** One outcome that every adapter must have. */
export interface ContractScenario {
  /** Short, and stays the same when the title is mended. */
  readonly id: string;
  /** A sentence that is true of an adapter that passes. */
  readonly title: string;
  /** What an adapter must be able to do for it; one that lacks it says why. */
  readonly needs?: Capability;
  /** Runs a real agent against a scripted model; rejects with an `AssertionError` when the outcome is another. */
  run(adapter: ContractAdapter): Promise<void>;
}

export type Capability =
  /** `/name words` at the start of a message activates the skill. */
  | "invocation"
  /** A skill that a person invoked is active from then on. */
  | "invoked-active"
  /** The tools of active skills are functions of their own. */
  | "own-tools"
  /** Instructions stand in the prompt, for models without tools. */
  | "inject"
  /** The session learns what each request holds, so that instructions are not given twice. */
  | "observe"
  /** What changed since the start of the conversation is told in later turns. */
  | "notice"
  /** The host can leave earlier messages out. */
  | "history"
  /** Histories are shortened with the instructions of active skills kept. */
  | "compaction"
  /** Nothing is on offer while there are no skills. */
  | "empty-offer"
  /** The host has functions of its own beside the skills. */
  | "host-tools"
  /** A session is kept in a store and taken up again. */
  | "store"
  /** Instructions have a budget. */
  | "budget";

/** An adapter under test, and how an agent is built with it. */
export interface ContractAdapter {
  readonly name: string;
  /** What it cannot do, each with the reason. */
  readonly lacks?: Partial<Readonly<Record<Capability, string>>>;
  /** How the model asks for a tool of a skill; by default it is a function of its own, named after the skill. */
  toolCall?(skill: string, tool: string, input: Readonly<Record<string, unknown>>): ToolCall;
  /** A request without what is the agent's own in it: prefixes of tools, and one message for all that is said. */
  view?(request: ReceivedRequest): ReceivedRequest;
  /** Builds an agent as a user of the adapter would. */
  start(setup: ContractSetup): Promise<ContractAgent>;
}

export interface ContractSetup {
  readonly skills: Skillset;
  /** Where the scripted model listens; the base URL of an OpenAI client is this and `/v1`. */
  readonly modelUrl: string;
  /** The host's own system prompt. */
  readonly instructions?: string;
  /** The host's own functions. */
  readonly tools?: readonly Tool[];
  readonly session?: SessionOptions;
  readonly operations?: OperationOptions;
  readonly mode?: "tools" | "inject";
  readonly inject?: readonly string[];
}

/** One conversation. */
export interface ContractAgent {
  readonly session: Session;
  /** Says something in a person's name, and gives the model's answer; rejects when the model fails or on abort. */
  say(text: string, options?: SayOptions): Promise<string>;
  close(): Promise<void>;
}

export interface SayOptions {
  readonly signal?: AbortSignal;
  /** What to do with the messages so far before this one is sent: leave them out, or shorten them to a budget. */
  readonly history?: "drop" | { readonly tokens: number };
}
