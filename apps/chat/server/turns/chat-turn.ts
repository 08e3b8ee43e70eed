import type { ChatMessage } from "../../shared/api.ts";
import type { AnswerChunk } from "../answers/join-chunks.ts";
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

/** Adds chunks to the answer: to its log, and to the pages that read it. */
export interface AnswerWriter {
  write(chunk: AnswerChunk): void;
}

/** The outcome of an answer; `steps` means that it reached the step limit. */
export type AnswerOutcome = "done" | "steps" | "cut" | "failed";
