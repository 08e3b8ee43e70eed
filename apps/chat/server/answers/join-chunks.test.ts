import { expect, test } from "vitest";
import { foldChunks } from "./fold-chunks.ts";
import { type AnswerChunk, joinChunks } from "./join-chunks.ts";

const text = (delta: string, id = "1"): AnswerChunk => ({ type: "text-delta", id, delta });

test("neighbouring deltas of one part become one, and everything else stays as it is and where it is", () => {
  const input = (inputTextDelta: string): AnswerChunk => ({
    type: "tool-input-delta",
    toolCallId: "a",
    inputTextDelta,
  });
  const signed: AnswerChunk = { type: "text-delta", id: "2", delta: "!", providerMetadata: { x: { signature: "s" } } };
  const chunks: AnswerChunk[] = [
    { type: "text-start", id: "1" },
    ...["One ", "two ", "three"].map((delta) => text(delta)),
    text("other", "2"),
    signed,
    input('{"a'),
    input('":1}'),
    { type: "reasoning-delta", id: "1", delta: "Hm" },
    { type: "reasoning-delta", id: "1", delta: "…" },
    { type: "text-end", id: "1" },
  ];
  expect(joinChunks(chunks)).toEqual([
    { type: "text-start", id: "1" },
    text("One two three"),
    text("other", "2"),
    signed,
    input('{"a":1}'),
    { type: "reasoning-delta", id: "1", delta: "Hm…" },
    { type: "text-end", id: "1" },
  ]);
  expect(joinChunks([])).toEqual([]);
});

test("chunks without an end fold to a message with the text so far", async () => {
  const start: AnswerChunk = { type: "start", messageId: "x", messageMetadata: { modelId: "m" } };
  const message = await foldChunks([start, { type: "text-start", id: "1" }, text("Half "), text("an answer")]);
  expect(message).toMatchObject({ id: "x", metadata: { modelId: "m" }, parts: [{ text: "Half an answer" }] });
});
