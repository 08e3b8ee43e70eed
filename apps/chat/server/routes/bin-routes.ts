import { Hono } from "hono";
import type { RestoredEntry } from "../../shared/api.ts";
import type { BinStore } from "../chats/bin-store.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { readCursor } from "../chats/cursor.ts";
import type { Database } from "../database/database.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import type { AppEvents } from "../http/app-events.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";
import { removeFiles } from "../turns/remove-files.ts";
import type { RunningAnswers } from "../turns/running-answers.ts";
import { stopAndWait } from "../turns/stop-answer.ts";

export interface BinRoutesOptions {
  readonly bin: BinStore;
  readonly chats: ChatStore;
  readonly database: Pick<Database, "notify">;
  readonly events: AppEvents;
  readonly running: RunningAnswers;
  readonly skills: ChatSkills | undefined;
}

/** Deleted chats and replaced messages. */
export function binRoutes({ bin, chats, database, events, running, skills }: BinRoutesOptions): Hono {
  const app = new Hono();

  app.get("/", async (c) => c.json(await bin.list(readCursor(c.req.query("before")))));

  app.post("/:id/restore", async (c) => {
    const id = c.req.param("id");
    const { kind, chatId } = (await bin.find(id)) ?? {};
    if (chatId === undefined) throw notFound("Bin entry");
    if (kind === "chat") {
      if (!(await bin.restoreChat(chatId))) throw notFound("Bin entry");
    } else {
      if (!(await bin.isInOrder(id))) throw outOfOrder();
      // Whoever undoes a replacement does not want the answer that is being written. Its text so far moves to the bin.
      await stopAndWait(chatId, { chats, database, running });
      await restoreMessages(id, chatId);
    }
    events.emit({ type: "chats-changed" });
    return c.json({ chatId } satisfies RestoredEntry);
  });

  async function restoreMessages(id: string, chatId: string): Promise<void> {
    const result = await bin.restoreMessages(id, chatId);
    if (result.outcome === "gone") throw notFound("Bin entry");
    if (result.outcome === "under-way") {
      const message = "An answer is running in this chat and did not stop. Try again in a moment.";
      throw new ApiFailure(409, "answer-under-way", message);
    }
    if (result.outcome !== "restored") throw outOfOrder();
    events.emit({ type: "chats-changed" });
    for (const name of result.skills) await skills?.sessions.unload(chatId, name);
  }

  app.delete("/:id", async (c) => {
    const deleted = await bin.delete(c.req.param("id"));
    if (deleted === undefined) throw notFound("Bin entry");
    await removeFiles(deleted, { database, skills });
    events.emit({ type: "chats-changed" });
    return c.body(null, 204);
  });

  app.delete("/", async (c) => {
    await bin.empty((chatIds) => removeFiles(chatIds, { database, skills }));
    events.emit({ type: "chats-changed" });
    return c.body(null, 204);
  });

  return app;
}

function outOfOrder(): ApiFailure {
  return new ApiFailure(409, "bin-order", "The messages before these were replaced too. Restore those first.");
}
