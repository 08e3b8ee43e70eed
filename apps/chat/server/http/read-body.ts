import type { Context } from "hono";
import { type ZodType, z } from "zod";
import type { ConsentChoice } from "../../shared/api.ts";
import { LARGEST_BODY } from "../../shared/limits.ts";
import { ApiFailure } from "./api-failure.ts";
import { bodyOf } from "./drain-body.ts";
import { isJson } from "./guard.ts";

/** Reads and validates a JSON body. Throws an error that describes the first problem. */
export async function readBody<Body>(c: Context, schema: ZodType<Body>): Promise<Body> {
  if (!isJson(c.req.header("content-type"))) {
    throw new ApiFailure(415, "not-json", "The content type must be application/json.");
  }
  const text = await readText(c.req.raw);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ApiFailure(400, "body-invalid", "The body is not valid JSON.");
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".");
  throw new ApiFailure(400, "body-invalid", `${place ? `'${place}'` : "The body"}: ${issue?.message}.`);
}

/** Stops at the limit, regardless of the Content-Length header. */
async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bodyOf(request)) {
    bytes += chunk.byteLength;
    if (bytes > LARGEST_BODY) throw new ApiFailure(413, "body-too-large", "The body must not exceed 1 MiB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const MessageId = z.string().regex(/^[\w-]{1,100}$/, "must be 1 to 100 letters, digits, '-' or '_'");

const ModelId = z.string().max(200, "must have at most 200 characters");

const TextPart = z.object({ type: z.literal("text"), text: z.string() });

/** The server knows the rest of a file. */
const AttachmentPart = z.object({
  type: z.literal("data-attachment"),
  data: z.object({ id: z.string().regex(/^[\w-]{1,100}$/, "must be the id of an uploaded file") }),
});

export const TurnRequestSchema = z.object({
  message: z.object({
    id: MessageId,
    role: z.literal("user", { error: "must be 'user'" }),
    parts: z
      .array(z.discriminatedUnion("type", [TextPart, AttachmentPart], { error: "must be 'text' or 'data-attachment'" }))
      .min(1, "must not be empty")
      .max(200, "must have at most 200 parts")
      .refine((parts) => parts.some((part) => part.type !== "text" || part.text.trim() !== ""), "must not be empty"),
  }),
  modelId: ModelId,
  replaceFrom: MessageId.optional(),
});

export const ChatChangesSchema = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters").optional(),
  modelId: ModelId.optional(),
});

export const MessageReferenceSchema = z.object({ messageId: MessageId });

const CHOICES = { once: "once", always: "always", deny: "deny" } as const satisfies {
  [Choice in ConsentChoice]: Choice;
};

export const ConsentSchema = z.object({
  call: z.string().min(1, "must not be empty").max(200, "must have at most 200 characters"),
  answer: z.enum(CHOICES, { error: "must be 'once', 'always' or 'deny'" }),
});

export const SkillSwitchSchema = z.object({ isEnabled: z.boolean("must be true or false") });

export const RepairRequestSchema = z.object({
  ids: z
    .array(z.string().max(100, "must have at most 100 characters"))
    .min(1, "must not be empty")
    .max(10_000, "must have at most 10000 items"),
});
