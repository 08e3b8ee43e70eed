import type { LedgerEntry } from "skillset";

// What the model saw: the requests of an answer, and the events around them. Texts of skills are never stored. A stored
// request names them by digest, and is rebuilt from the current skills.

/** The steps of an answer, in order. Empty if they were not recorded. */
export interface AnswerStepsView {
  readonly steps: readonly StepView[];
  /** The size of a request above which earlier messages are left out. */
  readonly limit: number | undefined;
  readonly chat: ChatUsage;
}

/** What all answers of a chat used so far. */
export interface ChatUsage extends UsageSum {
  readonly answers: number;
}

export interface UsageSum {
  readonly steps: number;
  readonly input: number;
  readonly output: number;
  /** US dollars. Undefined if a model has no price in the settings. */
  readonly cost?: number | undefined;
  /** The provider did not report all tokens, so some are estimates. */
  readonly isEstimate: boolean;
}

export interface StepUsage {
  readonly input: number;
  readonly output: number;
  /** The part of the input that the provider read from its cache. */
  readonly cached?: number | undefined;
  readonly isEstimate: boolean;
  /** US dollars, at the price of that time. */
  readonly cost?: number | undefined;
}

/** One request to the model, and what its calls did. */
export interface StepView {
  /** Counts from 1. */
  readonly step: number;
  readonly modelId: string;
  readonly startedAt: number;
  /** When the model had answered. */
  readonly answeredAt: number | undefined;
  readonly outcome: "answered" | "failed" | "cut";
  /** Why the model stopped, such as `stop` or `tool-calls`. */
  readonly finish: string | undefined;
  readonly usage: StepUsage;
  readonly parts: readonly ContextPart[];
  /** The skills whose texts in the request differ from the current ones. */
  readonly changed: readonly ChangedSkill[];
  readonly events: readonly StepEvent[];
  /** The number of events that were not recorded, because there were too many. */
  readonly moreEvents: number;
  /** Whether the request can be rebuilt. False if it was too large to record. */
  readonly hasRequest: boolean;
}

export interface ChangedSkill {
  readonly skill: string;
  /** The skill is no longer available. */
  readonly isGone: boolean;
}

/** What a text in a request is. */
export type TextKind =
  | "rules"
  | "catalog"
  | "notice"
  | "instructions"
  | "file"
  | "question"
  | "answer"
  | "reasoning"
  | "call"
  | "result"
  | "attachment"
  | "tool";

/** All texts of one kind in a request, such as the instructions of one skill. */
export interface ContextPart {
  readonly kind: TextKind;
  readonly skill?: string | undefined;
  readonly path?: string | undefined;
  /** The number of texts. */
  readonly count: number;
  /** An estimate. */
  readonly tokens: number;
}

export type StepEvent =
  | LedgerEntry
  | {
      readonly type: "messages-left-out";
      readonly at: number;
      readonly count: number;
      /** The skills whose instructions were left out too. */
      readonly skills: readonly string[];
      /** The limit in tokens. */
      readonly limit: number;
    }
  | AttachmentLeftOut
  | { readonly type: "request-repeated"; readonly at: number; readonly attempt: number; readonly attempts: number };

/** The model did not get an attached file, or only the start of it. */
export interface AttachmentLeftOut {
  readonly type: "attachment-left-out";
  readonly at: number;
  readonly name: string;
  /**
   * `cut`: the text is longer than the room for it. `too-large`: an image or a PDF file. `unreadable`: the model does not
   * take files of this type. `not-stored`: the file is no longer stored.
   */
  readonly reason: "cut" | "too-large" | "unreadable" | "not-stored";
  /** The size of the file in bytes. */
  readonly bytes: number;
  /** How many characters of a text the request has. */
  readonly characters?: number | undefined;
}

/** A request as the model received it, with the current texts of skills. */
export interface RebuiltRequest {
  readonly step: number;
  /** Every byte is as it was: the digest of the rebuilt request is the recorded one. */
  readonly isExact: boolean;
  /** Why the request is not exact: one sentence for each text that is missing. */
  readonly reasons: readonly string[];
  readonly digest: string;
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly RequestTool[];
  /** The request as JSON, exactly as it was passed to the provider's adapter. */
  readonly json: string;
}

export interface RequestMessage {
  readonly role: string;
  readonly texts: readonly RequestText[];
}

export interface RequestText {
  readonly kind: TextKind;
  readonly skill?: string | undefined;
  readonly path?: string | undefined;
  /** The tool of a call or a result. */
  readonly tool?: string | undefined;
  readonly tokens: number;
  /** The text, or why it is not shown. */
  readonly text: string;
  readonly isMissing: boolean;
}

export interface RequestTool {
  readonly name: string;
  readonly description: string;
  readonly tokens: number;
  /** The whole definition as JSON. */
  readonly definition: string;
}
