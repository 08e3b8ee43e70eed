import { Hono } from "hono";
import type { ChatStore } from "../chats/chat-store.ts";
import type { AdminAccess } from "../http/admin-access.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { ConsentSchema, readBody } from "../http/read-body.ts";
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
    const files = skills?.registry.current.scripts?.outputs(id);
    if (files === undefined) throw notFound("File");
    const bytes = await files.read(path, { signal: c.req.raw.signal });
    const isPreview = c.req.query("preview") !== undefined;
    const image = isPreview ? imageTypeOf(bytes) : undefined;
    if (isPreview && image === undefined) {
      throw new ApiFailure(415, "not-an-image", "Only PNG, JPEG, GIF and WebP images have a preview.");
    }
    return c.body(Buffer.from(bytes), 200, {
      "content-type": image ?? "application/octet-stream",
      "content-disposition": image === undefined ? attachment(path) : "inline",
      // A file is untrusted: nothing in it may run, even if somebody opens its address.
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  return app;
}

/** The type of an image by its first bytes; a name says nothing. SVG is not an image here, because it can run scripts. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}

/** The name in ASCII for old clients, and in full, encoded so that it cannot end the header. */
function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toWellFormed();
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"; filename*=UTF-8''${encoded}`;
}
