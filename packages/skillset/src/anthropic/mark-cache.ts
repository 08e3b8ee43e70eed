import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { blocksOf } from "./message-shape.ts";

/** How long the API keeps a prompt in its cache, or `false` for no marks. */
export type CacheOption = false | "5m" | "1h";

/** The API rejects a request with more. */
const MAX_MARKS = 4;

/**
 * Marks the end of the last message and the end of the system prompt for the API's prompt cache, as far as the host's own
 * marks leave room. The message comes first: its mark covers the system prompt of the same conversation too.
 */
export function markCache(
  body: MessageCreateParamsNonStreaming,
  cache: CacheOption = "5m",
): MessageCreateParamsNonStreaming {
  if (cache === false) return body;
  // The API rejects a mark of one hour after a shorter one. The mark on the whole request applies to the last message.
  const before = [...(body.tools ?? []), ...systemBlocks(body)].flatMap(marksOf);
  const after = [...body.messages.flatMap(blocksOf), { cache_control: body.cache_control }].flatMap(marksOf);
  let room = MAX_MARKS - before.length - after.length;
  // Always as blocks, so that only the mark differs in the next request.
  const messages = body.messages.map((message) => ({ ...message, content: [...blocksOf(message)] }) as MessageParam);
  const ofMessage = [...before, ...after].some(isShort) ? "5m" : cache;
  const marked = room > 0 && !body.cache_control ? markLast(messages, markFor(ofMessage)) : undefined;
  if (marked !== undefined) room--;
  const ofSystem = before.some(isShort) ? "5m" : after.every(isShort) ? cache : "1h";
  const system = room > 0 ? markEnd(systemBlocks(body), markFor(ofSystem)) : undefined;
  return { ...body, messages: marked ?? messages, ...(system && { system: system as TextBlockParam[] }) };
}

function isShort({ ttl }: CacheControlEphemeral): boolean {
  return ttl !== "1h";
}

type Markable = { readonly cache_control?: CacheControlEphemeral | null };

function markFor(ttl: "5m" | "1h"): CacheControlEphemeral {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl };
}

/** Returns the marks on a block, a tool or a request, and on the parts of a tool's result. */
function marksOf(block: object): CacheControlEphemeral[] {
  const { cache_control: mark, type, content } = block as Markable & { type?: string; content?: unknown };
  const inside = type === "tool_result" && Array.isArray(content) ? content.flatMap(marksOf) : [];
  return mark ? [mark, ...inside] : inside;
}

function systemBlocks({ system = [] }: MessageCreateParamsNonStreaming): readonly TextBlockParam[] {
  return typeof system === "string" ? [{ type: "text", text: system }] : system;
}

function markLast(messages: readonly MessageParam[], mark: CacheControlEphemeral): MessageParam[] | undefined {
  const last = messages.at(-1);
  const content = last && markEnd(blocksOf(last), mark);
  return last && content && [...messages.slice(0, -1), { ...last, content } as MessageParam];
}

/** Marks the last block that can have a mark; undefined if there is none, or if it has one. */
function markEnd(blocks: readonly ContentBlockParam[], mark: CacheControlEphemeral): ContentBlockParam[] | undefined {
  const index = blocks.findLastIndex(
    (block) =>
      block.type !== "thinking" && block.type !== "redacted_thinking" && !(block.type === "text" && block.text === ""),
  );
  const block = blocks[index];
  if (block === undefined || marksOf(block).length > 0) return undefined;
  return blocks.map((one, at) => (at === index ? ({ ...one, cache_control: mark } as ContentBlockParam) : one));
}
