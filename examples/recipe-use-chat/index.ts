import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from "ai";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for three minutes." },
  { say: "You are welcome." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
/** Replace it with your authentication. */
const userOf = async (request: Request) => request.headers.get("x-user") ?? "anyone";

// #region program
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { createSkillset, defineSkill, MemorySessionStore } from "skillset";
import { withSkills } from "skillset/ai-sdk";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const skills = await createSkillset([tea]);
const store = new MemorySessionStore(); // or a store in a database, so that any instance can answer

/** `app/api/chat/route.ts` */
export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] }; // as useChat sends them
  const session = await skills.session({ id: `${await userOf(request)}:${id}`, store });
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
// #endregion

const history: UIMessage[] = [];
/** What useChat does: sends the history, and reads the answer into it. */
async function say(text: string): Promise<string> {
  history.push({ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] });
  const body = JSON.stringify({ id: "chat-1", messages: history, trigger: "submit-message" });
  const response = await POST(new Request("http://localhost/api/chat", { method: "POST", body }));
  assert.equal(response.headers.get("x-vercel-ai-ui-message-stream"), "v1");
  assert(response.body);
  const chunks = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream({
      transform(part, controller) {
        assert(part.success);
        controller.enqueue(part.value);
      },
    }),
  );
  let answer: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: chunks })) answer = message;
  assert(answer);
  history.push(answer);
  return answer.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

assert.equal(await say("How do I make tea?"), "Steep it for three minutes.");
assert.equal(await say("Thanks!"), "You are welcome.");
assert.deepEqual((await skills.session({ id: "anyone:chat-1", store })).active, ["tea"]);
assert.deepEqual(
  history[1]?.parts.map(({ type }) => type).filter((type) => type !== "step-start"),
  ["tool-activate_skill", "text"],
);
const [first, second, third] = scripted.requests;
assert.equal(third?.system, first?.system);
// The instructions are in the history once, as the text that the model got before.
assert.deepEqual(third?.toolResults, second?.toolResults);
assert.doesNotMatch(third?.messages.map(({ text }) => text).join() ?? "", /Steep for 3 minutes/);
assert.deepEqual(scripted.faults, []);
await scripted.close();
