import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { sendLog } from "../answers/send-log.ts";
import type { AskResult, ChatStore } from "../chats/chat-store.ts";
import { storable } from "../chats/storable.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { ApiFailure, notFound, underWay } from "../http/api-failure.ts";
import { readBody, TurnRequestSchema } from "../http/read-body.ts";
import type { ClientLimits } from "../limits/client-limits.ts";
import type { Models } from "../models/models.ts";
import { attachFiles } from "../turns/attach-files.ts";
import type { RunningAnswers } from "../turns/running-answers.ts";
import { stopAnswer } from "../turns/stop-answer.ts";
import { type StreamAnswerOptions, startAnswer } from "../turns/stream-answer.ts";
import { findChat } from "./find-chat.ts";

export interface TurnRoutesOptions extends StreamAnswerOptions {
  readonly config: Pick<Config, "limits" | "models">;
  readonly chats: ChatStore;
  readonly database: Pick<Database, "notify">;
  readonly limits: ClientLimits;
  readonly models: Models;
  readonly running: RunningAnswers;
}

export function turnRoutes(options: TurnRoutesOptions): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { answerLog, attachments, chats, config, database, events, limits, models, running, skills } = options;
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>();

  app.post("/:id/turn", async (c) => {
    const { message, modelId, replaceFrom } = await readBody(c, TurnRequestSchema);
    const chatId = c.req.param("id");
    const chosen = models.get(modelId);
    if (chosen === undefined) throw notFound(`Model '${modelId.slice(0, 80)}'`);
    if (running.isEnding)
      throw new ApiFailure(503, "server-ending", "The server is shutting down. Try again in a moment.");
    limits.takeAnswer(c);
    if (running.size >= config.limits.answersAtOnce) {
      const message = `The server is busy with ${running.size} answers. Try again in a moment.`;
      throw new ApiFailure(503, "too-many-answers", message, { retryAfter: 5 });
    }
    const closeAnswer = limits.openAnswer(c);
    const answer = running.start(chatId);
    if (answer === undefined) {
      closeAnswer();
      throw underWay();
    }
    void answer.done.then(closeAnswer);
    try {
      const metadata = { createdAt: new Date().toISOString(), modelId };
      const attaching = { attachments, chats, skills, replaceFrom };
      const asked = { ...(await attachFiles(chatId, message, attaching)), metadata };
      // Stored before the answer starts, so that no accepted message is lost.
      const result = await chats.ask(chatId, asked, { modelId, replaceFrom, answerId: answer.id });
      if (result.outcome === "gone") await findChat(chats, chatId);
      if (result.outcome !== "stored") throw refusalOf(result.outcome);
      try {
        for (const name of result.skills) await skills?.sessions.unload(chatId, name);
      } catch (error) {
        // The message is stored. The claim is released, so that the client can retry.
        await chats.abandon(chatId, answer.id).catch(() => {});
        throw error;
      }
      events.emit({ type: "chats-changed" });
      const follow = startAnswer({ chatId, message: asked, modelId, ...chosen, answer }, options);
      return sendLog({ follow, drop: () => void c.env?.outgoing?.destroy() });
    } catch (error) {
      answer.end();
      throw error;
    }
  });

  app.get("/:id/answer", async (c) => {
    const chatId = c.req.param("id");
    const after = Number(c.req.query("after") ?? 0);
    if (!(Number.isInteger(after) && after >= 0 && after < 2 ** 31))
      throw new ApiFailure(400, "after-invalid", "'after' must be the number of a part.");
    // After a crash many pages ask at once, so this is one query. An answer whose server died ends when it is marked.
    const follow = await answerLog.find(storable(chatId), { after, answerId: c.req.query("id") });
    if (follow === undefined) {
      await findChat(chats, chatId);
      return c.body(null, 204);
    }
    const close = limits.openReader(c);
    return sendLog({
      follow: (follower) => {
        const stop = follow(follower);
        const script = skills?.scripts.get(chatId) ?? null;
        follower.onPart({ seq: undefined, chunks: [{ type: "data-script", data: script, transient: true }] });
        return () => {
          stop();
          close();
        };
      },
      drop: () => void c.env?.outgoing?.destroy(),
      signal: events.signal,
    });
  });

  app.post("/:id/stop", async (c) => {
    const { id } = await findChat(chats, c.req.param("id"));
    await stopAnswer(id, { chats, database, running });
    return c.body(null, 204);
  });

  return app;
}

function refusalOf(outcome: Exclude<AskResult["outcome"], "stored">): ApiFailure {
  if (outcome === "gone") return notFound("Chat");
  if (outcome === "under-way") return underWay();
  if (outcome === "not-found") return notFound("The message to replace was");
  return new ApiFailure(409, "message-taken", "The chat already has a message with this id.");
}
