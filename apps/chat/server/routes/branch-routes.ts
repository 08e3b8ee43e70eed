import { Hono } from "hono";
import type { BranchStore } from "../chats/branch-store.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { notFound, underWay } from "../http/api-failure.ts";
import type { AppEvents } from "../http/app-events.ts";
import { MessageReferenceSchema, readBody } from "../http/read-body.ts";
import type { ClientLimits } from "../limits/client-limits.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";
import { copyFiles } from "../turns/copy-files.ts";
import { findChat } from "./find-chat.ts";

export interface BranchRoutesOptions {
  readonly branches: BranchStore;
  readonly chats: ChatStore;
  readonly events: AppEvents;
  readonly limits: Pick<ClientLimits, "openFork">;
  readonly skills: ChatSkills | undefined;
}

/** Switches between the branches of a chat, and makes a chat of one. */
export function branchRoutes({ branches, chats, events, limits, skills }: BranchRoutesOptions): Hono {
  const app = new Hono();

  app.post("/:id/branch", async (c) => {
    const { messageId } = await readBody(c, MessageReferenceSchema);
    const { id } = await findChat(chats, c.req.param("id"));
    const result = await branches.show(id, messageId);
    if (result.outcome === "under-way") throw underWay();
    if (result.outcome !== "shown") throw notFound("Message");
    skills?.sessions.forget(id);
    for (const name of result.skills) await skills?.sessions.unload(id, name);
    events.emit({ type: "chats-changed" });
    return c.body(null, 204);
  });

  app.post("/:id/fork", async (c) => {
    const { messageId } = await readBody(c, MessageReferenceSchema);
    const { id } = await findChat(chats, c.req.param("id"));
    const close = limits.openFork(c);
    try {
      const fork = await branches.fork(id, messageId);
      if (fork === undefined) throw notFound("Message");
      await copyFiles(id, fork.id, skills);
      events.emit({ type: "chats-changed" });
      return c.json(fork, 201);
    } finally {
      close();
    }
  });

  return app;
}
