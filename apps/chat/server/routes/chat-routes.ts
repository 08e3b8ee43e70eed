import { Hono } from "hono";
import type { Chat } from "../../shared/api.ts";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { BranchStore } from "../chats/branch-store.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { readCursor } from "../chats/cursor.ts";
import { exportChat } from "../chats/export-chat.ts";
import { fillMessages } from "../chats/fill-messages.ts";
import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { ApiFailure, notFound, underWay } from "../http/api-failure.ts";
import type { AppEvents } from "../http/app-events.ts";
import { ChatChangesSchema, readBody } from "../http/read-body.ts";
import type { ClientLimits } from "../limits/client-limits.ts";
import type { Models } from "../models/models.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";
import { removeFiles } from "../turns/remove-files.ts";
import type { RunningAnswers } from "../turns/running-answers.ts";
import { stopAnswer } from "../turns/stop-answer.ts";
import { findChat } from "./find-chat.ts";

export interface ChatRoutesOptions {
  readonly attachments: AttachmentStore | undefined;
  readonly branches: BranchStore;
  readonly chats: ChatStore;
  readonly config: { readonly database: Pick<DatabaseConfig, "binDays"> };
  readonly database: Pick<Database, "notify">;
  readonly events: AppEvents;
  readonly limits: Pick<ClientLimits, "holdResponse">;
  readonly models: Models;
  readonly running: RunningAnswers;
  readonly skills: ChatSkills | undefined;
}

export function chatRoutes(options: ChatRoutesOptions): Hono {
  const { attachments, branches, chats, config, database, events, limits, models, running, skills } = options;
  const hasBin = config.database.binDays > 0;
  /** Notifies the pages of this server; the database notifies the other servers. */
  const emitChange = (): void => events.emit({ type: "chats-changed" });
  const app = new Hono();

  app.get("/", async (c) => {
    const query = c.req.query("query")?.trim() ?? "";
    if (query !== "") return c.json(await chats.search(query, { signal: c.req.raw.signal }));
    return c.json(await chats.list(readCursor(c.req.query("before"))));
  });

  app.post("/", async (c) => {
    const chat = await chats.create(models.defaultId);
    emitChange();
    return c.json(chat, 201);
  });

  app.get("/:id", async (c) => {
    const summary = await findChat(chats, c.req.param("id"));
    // Read first: an answer that ends meanwhile is then already among the messages.
    const isAnswering = await chats.isAnswering(summary.id);
    const chat: Chat = {
      ...summary,
      messages: await fillMessages(await chats.messages(summary.id), skills?.registry),
      siblings: await branches.siblings(summary.id),
      active: (await skills?.sessions.active(summary.id)) ?? [],
      isAnswering,
      script: skills?.scripts.get(summary.id),
    };
    const text = JSON.stringify(chat);
    limits.holdResponse(c, text.length);
    return c.body(text, 200, { "content-type": "application/json" });
  });

  app.patch("/:id", async (c) => {
    const { title, modelId } = await readBody(c, ChatChangesSchema);
    if (modelId !== undefined && models.get(modelId) === undefined) throw notFound(`Model '${modelId.slice(0, 80)}'`);
    const { id } = await findChat(chats, c.req.param("id"));
    const changed = await chats.change(id, { title, modelId });
    if (changed === undefined) throw notFound("Chat");
    emitChange();
    return c.json(changed);
  });

  app.delete("/:id", async (c) => {
    const { id } = await findChat(chats, c.req.param("id"));
    if (!hasBin) await stopAnswer(id, { chats, database, running });
    await chats.delete(id);
    // Stopped afterwards, so that no new answer starts in between. Its text so far is restored with the chat.
    if (hasBin) await stopAnswer(id, { chats, database, running });
    else await removeFiles([id], { attachments, database, skills });
    emitChange();
    return c.body(null, 204);
  });

  app.get("/:id/export", async (c) => {
    const summary = await findChat(chats, c.req.param("id"));
    const format = c.req.query("format") ?? "markdown";
    if (format !== "markdown" && format !== "json") {
      throw new ApiFailure(400, "format-unknown", "'format' must be 'markdown' or 'json'.");
    }
    const { name, type, text } = exportChat(summary, await branches.tree(summary.id), format);
    limits.holdResponse(c, text.length);
    return c.body(text, 200, { "content-type": type, "content-disposition": `attachment; filename="${name}"` });
  });

  app.delete("/:id/skills/:name", async (c) => {
    const { id } = await findChat(chats, c.req.param("id"));
    const name = c.req.param("name");
    if (await chats.isAnswering(id)) throw underWay();
    if ((await skills?.sessions.unload(id, name)) !== true) throw notFound(`Active skill '${name.slice(0, 80)}'`);
    await database.notify("chats");
    emitChange();
    return c.body(null, 204);
  });

  return app;
}
