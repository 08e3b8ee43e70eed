import { Hono } from "hono";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { BinStore } from "../chats/bin-store.ts";
import { readCursor } from "../chats/cursor.ts";
import type { Database } from "../database/database.ts";
import { notFound } from "../http/api-failure.ts";
import type { AppEvents } from "../http/app-events.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";
import { removeFiles } from "../turns/remove-files.ts";

export interface BinRoutesOptions {
  readonly attachments: AttachmentStore | undefined;
  readonly bin: BinStore;
  readonly database: Pick<Database, "notify">;
  readonly events: AppEvents;
  readonly skills: ChatSkills | undefined;
}

/** Deleted chats. */
export function binRoutes({ attachments, bin, database, events, skills }: BinRoutesOptions): Hono {
  const app = new Hono();

  app.get("/", async (c) => c.json(await bin.list(readCursor(c.req.query("before")))));

  app.post("/:id/restore", async (c) => {
    if (!(await bin.restoreChat(c.req.param("id")))) throw notFound("Bin entry");
    events.emit({ type: "chats-changed" });
    return c.body(null, 204);
  });

  app.delete("/:id", async (c) => {
    const id = c.req.param("id");
    if (!(await bin.delete(id))) throw notFound("Bin entry");
    await removeFiles([id], { attachments, database, skills });
    events.emit({ type: "chats-changed" });
    return c.body(null, 204);
  });

  app.delete("/", async (c) => {
    await bin.empty((chatIds) => removeFiles(chatIds, { database, skills }));
    await attachments?.sweepContents();
    events.emit({ type: "chats-changed" });
    return c.body(null, 204);
  });

  return app;
}
