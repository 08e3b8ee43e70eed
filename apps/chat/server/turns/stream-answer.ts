import { consumeStream, createUIMessageStream, createUIMessageStreamResponse } from "ai";
import type { ChatMessage, MessageMetadata } from "../../shared/api.ts";
import type { AppEvents } from "../http/app-events.ts";
import { placesOf } from "../observe/error-reason.ts";
import { brief, type Redact } from "../observe/redact.ts";
import { answerFailure } from "./answer-failure.ts";
import type { AnswerOutcome, ChatTurn } from "./chat-turn.ts";
import type { RunningAnswer } from "./running-answers.ts";
import { type StoreAnswerOptions, storeAnswer } from "./store-answer.ts";
import { type WriteAnswerOptions, writeAnswer } from "./write-answer.ts";

/** The services for writing, storing and reporting an answer. */
export type StreamAnswerOptions = Omit<WriteAnswerOptions, "toText"> &
  StoreAnswerOptions & { readonly events: AppEvents; readonly redact: Redact };

/** Streams the answer to a stored message. If the client disconnects, the answer still completes and is stored. */
export function streamAnswer(turn: ChatTurn, options: StreamAnswerOptions): Response {
  const { events, log, metrics, redact } = options;
  const { chatId, modelId, answer } = turn;
  const start = performance.now();
  const toText = (error: unknown): string => brief(answerFailure(error, turn.info.label), redact);
  let outcome: AnswerOutcome = "failed";
  const stream = createUIMessageStream<ChatMessage>({
    execute: async ({ writer }) => {
      const metadata = { createdAt: new Date().toISOString(), modelId };
      writer.write({ type: "start", messageId: answer.id, messageMetadata: metadata });
      try {
        outcome = await writeAnswer(turn, writer, { ...options, toText });
      } catch (error) {
        if (!answer.signal.aborted) throw error;
        writer.write({ type: "abort" });
        outcome = "cut";
      } finally {
        if (outcome === "cut" || outcome === "failed")
          writer.write({ type: "message-metadata", messageMetadata: cutBy(answer) });
      }
    },
    onError: (error) => {
      // Logged without the message, because providers echo prompts in it.
      const name = error instanceof Error ? error.name : typeof error;
      log.error("answer-failed", { chat: chatId, model: modelId, error: name, at: placesOf(error) });
      return toText(error);
    },
    onEnd: async ({ responseMessage }) => {
      try {
        await storeAnswer(turn, responseMessage, options);
      } catch (error) {
        log.error("answer-not-stored", { chat: chatId, reason: toText(error) });
      } finally {
        answer.end();
        const seconds = (performance.now() - start) / 1000;
        metrics.count("chat_answers_total", { outcome });
        metrics.count("chat_answer_seconds_total", {}, seconds);
        log.info("answer", { chat: chatId, model: modelId, outcome, seconds: Number(seconds.toFixed(3)) });
        events.emit({ type: "chats-changed" });
      }
    },
  });
  return createUIMessageStreamResponse({
    stream,
    keepAliveMs: 15_000,
    consumeSseStream: ({ stream: copy }) => consumeStream({ stream: copy }),
  });
}

function cutBy({ isStopped }: RunningAnswer): MessageMetadata {
  return isStopped ? { isCut: true, isStopped } : { isCut: true };
}
