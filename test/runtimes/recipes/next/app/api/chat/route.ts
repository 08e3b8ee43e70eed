import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { createSkillset, MemorySessionStore } from "skillset";
import { withSkills } from "skillset/ai-sdk";

const model = createOpenAICompatible({ name: "model", baseURL: process.env.MODEL_URL ?? "" }).chatModel("model");
const loading = createSkillset(["./skills"]); // once for each server
const store = new MemorySessionStore(); // or a store in a database, so that any instance can answer

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }; // as useChat sends them
  const session = await (await loading).session({ id: `${await userOf(request)}:${id}`, store });
  const turn = await withSkills({
    session,
    request: {
      instructions: "You are a waiter.",
      messages: await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
    },
    signal: request.signal,
  });
  const { stream } = streamText({ model, ...turn, abortSignal: request.signal });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream, originalMessages: messages }) });
}

/** Replace it with your authentication. */
async function userOf(request: Request): Promise<string> {
  return request.headers.get("x-user") ?? "anyone";
}
