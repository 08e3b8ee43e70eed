import type { UIMessageStreamWriter } from "ai";
import type { ChatMessage } from "../../shared/api.ts";
import type { ModelEntry } from "../models/model-entry.ts";
import type { RunningAnswer } from "./running-answers.ts";

/** A message in a chat, and the answer that is being written to it. */
export interface ChatTurn extends ModelEntry {
  readonly chatId: string;
  /** What the person wrote; stored already. */
  readonly message: ChatMessage;
  readonly modelId: string;
  readonly answer: RunningAnswer;
}

/** Writes an answer to the page that asked, part by part. */
export type AnswerWriter = UIMessageStreamWriter<ChatMessage>;

/** How an answer ended; `steps` means that it reached the limit of steps. */
export type AnswerOutcome = "done" | "steps" | "cut" | "failed";
