import type { UIMessageStreamWriter } from "ai";
import type { ChatMessage } from "../../shared/api.ts";
import type { ModelEntry } from "../models/model-entry.ts";
import type { RunningAnswer } from "./running-answers.ts";

/** A message in a chat and its running answer. */
export interface ChatTurn extends ModelEntry {
  readonly chatId: string;
  /** The user's message, already stored. */
  readonly message: ChatMessage;
  readonly modelId: string;
  readonly answer: RunningAnswer;
}

/** Streams the parts of an answer to the page. */
export type AnswerWriter = UIMessageStreamWriter<ChatMessage>;

/** The outcome of an answer; `steps` means that it reached the step limit. */
export type AnswerOutcome = "done" | "steps" | "cut" | "failed";
