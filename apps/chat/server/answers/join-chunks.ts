import type { UIMessageChunk } from "ai";
import type { ChatData, MessageMetadata } from "../../shared/api.ts";

/** A chunk of an answer's stream. */
export type AnswerChunk = UIMessageChunk<MessageMetadata, ChatData>;

/** Joins neighbouring deltas of the same part, because each chunk costs time to store, send and show. */
export function joinChunks(chunks: readonly AnswerChunk[]): readonly AnswerChunk[] {
  const joined: AnswerChunk[] = [];
  let texts: string[] = [];
  const close = (): void => {
    const last = joined.at(-1);
    if (last !== undefined && texts.length > 1) joined[joined.length - 1] = withDelta(last, texts.join(""));
    texts = [];
  };
  for (const chunk of chunks) {
    const delta = deltaOf(chunk);
    const last = joined.at(-1);
    if (delta !== undefined && last !== undefined && texts.length > 0 && isSamePart(last, chunk)) {
      texts.push(delta);
      continue;
    }
    close();
    joined.push(chunk);
    if (delta !== undefined) texts = [delta];
  }
  close();
  return joined;
}

/** Undefined for chunks that are not joined: other kinds, and those with data of the provider. */
function deltaOf(chunk: AnswerChunk): string | undefined {
  if (chunk.type === "tool-input-delta") return chunk.inputTextDelta;
  if (chunk.type !== "text-delta" && chunk.type !== "reasoning-delta") return undefined;
  return chunk.providerMetadata === undefined ? chunk.delta : undefined;
}

function isSamePart(one: AnswerChunk, other: AnswerChunk): boolean {
  return one.type === other.type && keyOf(one) === keyOf(other);
}

function keyOf(chunk: AnswerChunk): string | undefined {
  return "toolCallId" in chunk ? chunk.toolCallId : "id" in chunk ? chunk.id : undefined;
}

function withDelta(chunk: AnswerChunk, delta: string): AnswerChunk {
  return (chunk.type === "tool-input-delta" ? { ...chunk, inputTextDelta: delta } : { ...chunk, delta }) as AnswerChunk;
}
