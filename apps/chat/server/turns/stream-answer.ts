import { consumeStream, createUIMessageStream, createUIMessageStreamResponse, type UIMessageStreamWriter } from "ai";
import type { ChatMessage, MessageMetadata } from "../../shared/api.ts";
import { withoutSkillText } from "../chats/skill-outputs.ts";
import { keepTrying } from "../database/keep-trying.ts";
import type { ModelEntry } from "../models/model-entry.ts";
import { placesOf } from "../observe/error-reason.ts";
import { brief } from "../observe/redact.ts";
import type { Services } from "../services.ts";
import { answer } from "./answer.ts";
import { answerFailure } from "./answer-failure.ts";
import type { RunningAnswer } from "./running-answers.ts";

export type Writer = UIMessageStreamWriter<ChatMessage>;

export interface Turn extends ModelEntry {
  readonly chatId: string;
  /** What the person wrote; stored already. */
  readonly message: ChatMessage;
  readonly modelId: string;
  readonly running: RunningAnswer;
}

/** Streams the answer to a message that is stored. It goes on, and is stored, also when nobody reads it any more. */
export function streamAnswer(services: Services, turn: Turn): Response {
  const { events, log, metrics, redact } = services;
  const { chatId, modelId, running } = turn;
  const start = performance.now();
  const toText = (error: unknown): string => brief(answerFailure(error, turn.info.label), redact);
  let outcome: Outcome = "failed";
  const stream = createUIMessageStream<ChatMessage>({
    execute: async ({ writer }) => {
      const metadata = { createdAt: new Date().toISOString(), modelId };
      writer.write({ type: "start", messageId: running.id, messageMetadata: metadata });
      try {
        outcome = await answer(services, turn, writer, toText);
      } catch (error) {
        if (!running.signal.aborted) throw error;
        writer.write({ type: "abort" });
        outcome = "cut";
      } finally {
        if (outcome === "cut" || outcome === "failed")
          writer.write({ type: "message-metadata", messageMetadata: cutBy(running) });
      }
    },
    onError: (error) => {
      // Without its message: providers repeat what they were sent.
      const name = error instanceof Error ? error.name : typeof error;
      log.error("answer-failed", { chat: chatId, model: modelId, error: name, at: placesOf(error) });
      return toText(error);
    },
    onEnd: async ({ responseMessage }) => {
      try {
        await keep(services, turn, responseMessage);
      } catch (error) {
        log.error("answer-not-stored", { chat: chatId, reason: toText(error) });
      } finally {
        running.end();
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

/** How an answer ended; `steps` means that it reached the limit of steps. */
export type Outcome = "done" | "steps" | "cut" | "failed";

/** Stores the answer, however long the database needs: until then it counts as under way. */
async function keep({ chats, log, running, skills }: Services, turn: Turn, message: ChatMessage): Promise<void> {
  const { chatId } = turn;
  skills?.recent.remember(chatId, { ...message, id: turn.running.id });
  const { id } = turn.running;
  const work = async (): Promise<void> => {
    if (!hasContent(message)) return chats.abandon(chatId, id);
    if (!(await chats.answer(chatId, withoutSkillText({ ...message, id }))))
      log.info("answer-unwanted", { chat: chatId });
  };
  await keepTrying(work, {
    signal: running.givenUp,
    onFault: (fault, attempt) => {
      if (attempt === 0) log.warn("answer-waits", { chat: chatId, fault });
    },
  });
}

function cutBy({ isStopped }: RunningAnswer): MessageMetadata {
  return isStopped ? { isCut: true, isStopped } : { isCut: true };
}

/** An answer that failed at once has nothing to show. */
function hasContent({ parts }: ChatMessage): boolean {
  return parts.some(({ type }) => type !== "step-start" && !type.startsWith("data-"));
}
