import { Hono } from "hono";
import type { AttachmentText } from "../../shared/attachments-api.ts";
import { kindOf } from "../../shared/attachments-api.ts";
import type { AttachmentStore, StoredAttachment } from "../attachments/attachment-store.ts";
import { decodeText } from "../attachments/media-type.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { attachmentHeader } from "../http/attachment-header.ts";
import { bodyOf, drainBody } from "../http/drain-body.ts";
import { isBytes } from "../http/guard.ts";

export interface FileRoutesOptions {
  /** Undefined when attachments are disabled. */
  readonly attachments: AttachmentStore | undefined;
}

/** Files that people attach to messages. */
export function fileRoutes({ attachments }: FileRoutesOptions): Hono {
  const app = new Hono();
  const demandStore = (): AttachmentStore => {
    if (attachments !== undefined) return attachments;
    throw new ApiFailure(404, "attachments-off", "Attachments are disabled in the settings.");
  };
  const find = async (id: string): Promise<StoredAttachment> => {
    const file = await demandStore().get(id);
    if (file === undefined) throw notFound("File");
    return file;
  };

  app.post("/", async (c) => {
    const store = demandStore();
    if (!isBytes(c.req.header("content-type"))) {
      throw new ApiFailure(415, "not-bytes", "The content type must be application/octet-stream.");
    }
    const { maxBytes } = store.config;
    try {
      if (Number(c.req.header("content-length") ?? 0) > maxBytes) {
        const limit = Math.round(maxBytes / 1024 / 1024);
        throw new ApiFailure(413, "file-too-large", `The file is too large: the limit is ${limit} MB.`);
      }
      return c.json(await store.upload(bodyOf(c.req.raw), c.req.query("name") ?? ""), 201);
    } catch (error) {
      // A file that is somewhat too large too.
      await drainBody(c.req.raw, 4 * maxBytes);
      throw error;
    }
  });

  app.get("/:id", async (c) => {
    const file = await find(c.req.param("id"));
    const isPreview = c.req.query("preview") !== undefined;
    if (isPreview && kindOf(file.mediaType) !== "image") {
      throw new ApiFailure(415, "not-an-image", "Only PNG, JPEG, GIF and WebP images have a preview.");
    }
    return c.body(ReadableStream.from(demandStore().read(file)), 200, {
      "content-type": isPreview ? file.mediaType : "application/octet-stream",
      "content-length": String(file.size),
      "content-disposition": isPreview ? "inline" : attachmentHeader(file.name),
      // A file is untrusted: nothing in it may run, even if somebody opens its address.
      "content-security-policy": "default-src 'none'; sandbox",
      // The content of an id never changes.
      "cache-control": "private, max-age=3600",
    });
  });

  app.get("/:id/text", async (c) => {
    const file = await find(c.req.param("id"));
    const text = decodeText((await demandStore().head(file)).subarray(0, PREVIEW_BYTES));
    if (text === undefined || kindOf(file.mediaType) !== "text") {
      throw new ApiFailure(415, "not-a-text", "This file is not a text.");
    }
    return c.json({ text, isCut: file.size > PREVIEW_BYTES } satisfies AttachmentText);
  });

  app.delete("/:id", async (c) => {
    if (!(await demandStore().remove(c.req.param("id")))) throw notFound("Unsent file");
    return c.body(null, 204);
  });

  return app;
}

const PREVIEW_BYTES = 64 * 1024;
