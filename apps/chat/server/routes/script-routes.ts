import { Hono } from "hono";
import { outputsOf } from "skillset/scripts";
import type { ChatStore } from "../chats/chat-store.ts";
import type { AdminAccess } from "../http/admin-access.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { ConsentSchema, readBody } from "../http/read-body.ts";
import { sendFile } from "../http/send-file.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";
import { findChat } from "./find-chat.ts";

export interface ScriptRoutesOptions {
  readonly admin: AdminAccess;
  readonly chats: Pick<ChatStore, "get" | "isInBin">;
  readonly skills: ChatSkills | undefined;
}

/** Consent for scripts, and the files that they wrote. */
export function scriptRoutes({ admin, chats, skills }: ScriptRoutesOptions): Hono {
  const app = new Hono();

  app.post("/:id/consent", async (c) => {
    const { call, answer } = await readBody(c, ConsentSchema);
    const { id } = await findChat(chats, c.req.param("id"));
    if (answer === "always") admin.demandAdmin(c);
    const asked = skills?.scripts.get(id);
    if (skills === undefined || !(await skills.scripts.answer(id, call, answer))) {
      throw new ApiFailure(409, "not-asked", "This question is no longer open: it was answered, or the answer ended.");
    }
    if (answer === "always") admin.audit(c, "allow-scripts", { skill: asked?.skill, digest: asked?.digest });
    return c.body(null, 204);
  });

  app.get("/:id/file", async (c) => {
    const { id } = await findChat(chats, c.req.param("id"));
    const path = c.req.query("path");
    if (path === undefined || path === "") throw new ApiFailure(400, "path-missing", "'path' is missing.");
    const files = skills && outputsOf(skills.registry.current, id);
    if (files === undefined) throw notFound("File");
    const bytes = await files.read(path, { signal: c.req.raw.signal });
    return sendFile(c, path, bytes);
  });

  return app;
}
