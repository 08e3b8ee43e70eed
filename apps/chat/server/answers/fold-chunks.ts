import { consumeStream, createUIMessageStream } from "ai";
import type { ChatMessage } from "../../shared/api.ts";
import { type AnswerChunk, joinChunks } from "./join-chunks.ts";

/** Builds the message that the chunks of an answer describe, as a page that reads them does. */
export async function foldChunks(chunks: readonly AnswerChunk[]): Promise<ChatMessage> {
  let message: ChatMessage | undefined;
  const stream = createUIMessageStream<ChatMessage>({
    execute: ({ writer }) => {
      for (const chunk of joinChunks(chunks)) writer.write(chunk);
    },
    onError: (error) => String(error),
    onEnd: ({ responseMessage }) => {
      message = responseMessage;
    },
  });
  await consumeStream({ stream });
  if (message === undefined) throw new Error("The chunks of the answer cannot be read.");
  return message;
}
