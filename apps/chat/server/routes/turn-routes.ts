import { Hono } from "hono";
import { activatedFrom } from "../chats/activated-skills.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { readBody, TurnRequestSchema } from "../http/read-body.ts";
import type { Services } from "../services.ts";
import { streamAnswer } from "../turn/turn.ts";
import { find, tellOfChats } from "./chat-routes.ts";

export function turnRoutes(services: Services): Hono {
  const { chats, models, running, skills } = services;
  const app = new Hono();

  app.post("/:id/turn", async (c) => {
    const { message, modelId, replaceFrom } = await readBody(c, TurnRequestSchema);
    const { id: chatId } = await find(services, c.req.param("id"));
    const chosen = models.get(modelId);
    if (chosen === undefined) throw notFound(`model '${modelId.slice(0, 80)}'`);
    if (running.isEnding) throw new ApiFailure(503, "server-ending", "The server is ending: try again in a moment.");
    const answer = running.start(chatId);
    if (answer === undefined) {
      throw new ApiFailure(
        409,
        "answer-under-way",
        "An answer is under way in this chat: wait for it, or stop it first.",
      );
    }
    try {
      const metadata = { createdAt: new Date().toISOString(), modelId };
      const asked = { ...message, metadata };
      const dropped = replaceFrom === undefined ? [] : activatedFrom(await chats.messages(chatId), replaceFrom);
      // Stored before anything is answered, so that nothing that was accepted is lost.
      const outcome = await chats.ask(chatId, asked, { modelId, replaceFrom });
      if (outcome === "not-found") throw notFound("message to replace");
      if (outcome === "taken")
        throw new ApiFailure(409, "message-taken", "A message with this id is in the chat already.");
      for (const name of dropped) await skills?.sessions.unload(chatId, name);
      tellOfChats(services);
      return streamAnswer(services, { chatId, message: asked, modelId, ...chosen, running: answer });
    } catch (error) {
      answer.end();
      throw error;
    }
  });

  app.post("/:id/stop", async (c) => {
    const { id } = await find(services, c.req.param("id"));
    await running.stop(id);
    return c.body(null, 204);
  });

  return app;
}
