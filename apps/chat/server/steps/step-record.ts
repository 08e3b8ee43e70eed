import type { StepEvent, StepUsage, StepView, TextKind } from "../../shared/steps-api.ts";

/** One request to the model, as it is stored. */
export interface StepRecord
  extends Pick<StepView, "step" | "modelId" | "startedAt" | "answeredAt" | "outcome" | "finish" | "moreEvents"> {
  readonly usage: StepUsage;
  readonly events: readonly StepEvent[];
  /** Absent if the request was too large. */
  readonly recipe?: RequestRecipe | undefined;
}

/** How to rebuild a request. Strings that start with a mark represent texts: see `encode-request.ts`. */
export interface RequestRecipe {
  /** The digest of the request as JSON. */
  readonly digest: string;
  /** The number of messages at the start that are the same as in the answer's previous request. */
  readonly same: number;
  readonly messages: readonly unknown[];
  /** The texts of the tools' definitions. */
  readonly tools: readonly number[] | undefined;
  /** The other settings of the request. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The texts that no earlier request of the answer has. All texts of an answer are numbered from 0. */
  readonly texts: readonly TextRecord[];
}

/** A text in a request. */
export interface TextRecord {
  readonly digest: string;
  readonly kind: TextKind;
  readonly tokens: number;
  readonly skill?: string | undefined;
  readonly path?: string | undefined;
  /** Words that are nowhere else and belong to no skill. */
  readonly words?: string | undefined;
  /** For a text with the content of an attached file. */
  readonly source?: AttachedSource | undefined;
}

/** How to build a text from an attached file: the start of its content, between the chat's own words. */
export interface AttachedSource {
  /** The digest of the file. */
  readonly digest: string;
  readonly characters: number;
  readonly before: string;
  readonly after: string;
}
