import { Hono } from "hono";
import type { Chat, ChatSummary } from "../../shared/api.ts";
import { exportChat } from "../chats/export-chat.ts";
import { fillMessages } from "../chats/fill-messages.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { ChatChangesSchema, readBody } from "../http/read-body.ts";
import type { Services } from "../services.ts";

export function chatRoutes(services: Services): Hono {
  const { chats, database, models, skills } = services;
  const app = new Hono();

  app.get("/", async (c) => c.json(await chats.list(c.req.query("query"), { signal: c.req.raw.signal })));

  app.post("/", async (c) => {
    const chat = await chats.create(models.defaultId);
    tellOfChats(services);
    return c.json(chat, 201);
  });

  app.get("/:id", async (c) => {
    const summary = await find(services, c.req.param("id"));
    // First, because an answer that ends meanwhile is among the messages then.
    const isAnswering = await chats.isAnswering(summary.id);
    const chat: Chat = {
      ...summary,
      messages: await fillMessages(await chats.messages(summary.id), skills?.registry),
      active: (await skills?.sessions.active(summary.id)) ?? [],
      isAnswering,
    };
    return c.json(chat);
  });

  app.patch("/:id", async (c) => {
    const { title, modelId } = await readBody(c, ChatChangesSchema);
    if (modelId !== undefined && models.get(modelId) === undefined) throw notFound(`model '${modelId.slice(0, 80)}'`);
    const changes = { ...(title !== undefined && { title }), ...(modelId !== undefined && { modelId }) };
    const { id } = await find(services, c.req.param("id"));
    const changed = await chats.change(id, changes);
    if (changed === undefined) throw notFound("such chat");
    tellOfChats(services);
    return c.json(changed);
  });

  app.delete("/:id", async (c) => {
    const { id } = await find(services, c.req.param("id"));
    await stopAnswer(services, id);
    await chats.delete(id);
    tellOfChats(services);
    return c.body(null, 204);
  });

  app.get("/:id/export", async (c) => {
    const summary = await find(services, c.req.param("id"));
    const format = c.req.query("format") ?? "markdown";
    if (format !== "markdown" && format !== "json") {
      throw new ApiFailure(400, "format-unknown", "'format' must be 'markdown' or 'json'.");
    }
    const { name, type, text } = exportChat(summary, await chats.messages(summary.id), format);
    return c.body(text, 200, { "content-type": type, "content-disposition": `attachment; filename="${name}"` });
  });

  app.delete("/:id/skills/:name", async (c) => {
    const { id } = await find(services, c.req.param("id"));
    const name = c.req.param("name");
    if (await chats.isAnswering(id))
      throw new ApiFailure(409, "answer-under-way", "Wait for the answer, or stop it first.");
    if ((await skills?.sessions.unload(id, name)) !== true) throw notFound(`active skill '${name.slice(0, 80)}'`);
    await database.notify("chats");
    tellOfChats(services);
    return c.body(null, 204);
  });

  return app;
}

export async function find({ chats }: Services, id: string): Promise<ChatSummary> {
  const chat = await chats.get(id);
  if (chat === undefined) throw notFound("such chat");
  return chat;
}

/** Tells the pages of this server; the other servers hear of it from the database. */
export function tellOfChats({ events }: Services): void {
  events.emit({ type: "chats-changed" });
}

/** Ends the answer of a chat; another server that writes it is asked to, and stores what came so far. */
export async function stopAnswer({ chats, database, running }: Services, chatId: string): Promise<void> {
  if (running.has(chatId)) await running.stop(chatId);
  else if (await chats.isAnswering(chatId)) await database.notify(`stop ${chatId}`);
}
