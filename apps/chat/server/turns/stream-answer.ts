import type { ChatMessage, MessageMetadata } from "../../shared/api.ts";
import type { AnswerLog, Follow } from "../answers/answer-log.ts";
import { foldChunks } from "../answers/fold-chunks.ts";
import type { RunningLog } from "../answers/running-log.ts";
import type { AppEvents } from "../http/app-events.ts";
import { placesOf } from "../observe/error-reason.ts";
import { brief, type Redact } from "../observe/redact.ts";
import { answerFailure } from "./answer-failure.ts";
import type { AnswerOutcome, ChatTurn } from "./chat-turn.ts";
import type { RunningAnswer } from "./running-answers.ts";
import { type StoreAnswerOptions, storeAnswer } from "./store-answer.ts";
import { type WriteAnswerOptions, writeAnswer, writeFailure } from "./write-answer.ts";
import { type WriteTitleOptions, writeTitle } from "./write-title.ts";

/** The services for writing, storing and reporting an answer. */
export type StreamAnswerOptions = Omit<WriteAnswerOptions, "toText"> &
  StoreAnswerOptions &
  WriteTitleOptions & { readonly answerLog: AnswerLog; readonly events: AppEvents; readonly redact: Redact };

/**
 * Starts the answer to a stored message, and returns a function that reads it from the start. The answer completes and
 * is stored even if nobody reads it.
 */
export function startAnswer(turn: ChatTurn, options: StreamAnswerOptions): Follow {
  const log = options.answerLog.start(turn.chatId, turn.answer.id);
  void runAnswer(turn, log, options);
  return (follower) => log.follow(0, follower);
}

async function runAnswer(turn: ChatTurn, log: RunningLog, options: StreamAnswerOptions): Promise<void> {
  const { answerLog, events, metrics, redact } = options;
  const { chatId, modelId, answer } = turn;
  const start = performance.now();
  const toText = (error: unknown): string => brief(answerFailure(error, turn.info.label), redact);
  let outcome: AnswerOutcome = "failed";
  log.write({
    type: "start",
    messageId: answer.id,
    messageMetadata: { createdAt: new Date().toISOString(), modelId },
  });
  try {
    outcome = await writeAnswer(turn, log, { ...options, toText });
  } catch (error) {
    if (answer.signal.aborted) {
      log.write({ type: "abort" });
      outcome = "cut";
    } else {
      // Logged without the message, because providers echo prompts in it.
      const name = error instanceof Error ? error.name : typeof error;
      options.log.error("answer-failed", { chat: chatId, model: modelId, error: name, at: placesOf(error) });
      writeFailure(log, toText(error));
    }
  }
  if (outcome === "cut" || outcome === "failed")
    log.write({ type: "message-metadata", messageMetadata: cutBy(answer) });
  let message: ChatMessage | undefined;
  await answerLog.finish(log, async (chunks) => {
    try {
      message = await foldChunks(chunks);
      await storeAnswer(turn, message, options);
    } catch (error) {
      options.log.error("answer-not-stored", { chat: chatId, reason: toText(error) });
    }
    answer.end();
    const seconds = (performance.now() - start) / 1000;
    metrics.count("chat_answers_total", { outcome });
    metrics.count("chat_answer_seconds_total", {}, seconds);
    options.log.info("answer", { chat: chatId, model: modelId, outcome, seconds: Number(seconds.toFixed(3)) });
    events.emit({ type: "chats-changed" });
  });
  if (message !== undefined && outcome === "done" && (await writeTitle(turn, message, options))) {
    events.emit({ type: "chats-changed" });
  }
}

function cutBy({ isStopped }: RunningAnswer): MessageMetadata {
  return isStopped ? { isCut: true, isStopped } : { isCut: true };
}
