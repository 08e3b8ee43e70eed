import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createAdaptorServer } from "@hono/node-server";
import { startScriptedModel } from "@skillset/testing";
import type { MiddlewareHandler } from "hono";
import { createSkillset, defineSkill } from "skillset";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  (request) =>
    request.messages.some(({ text }) => text.includes("slowly")) ? { hang: true } : { say: "Three minutes." },
  { say: "You are welcome." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." });
const skills = await createSkillset([tea]);
/** Replace it with your authentication. */
const authenticate: MiddlewareHandler<{ Variables: { user: string } }> = async (context, next) => {
  context.set("user", context.req.header("x-user") ?? "anyone");
  await next();
};

// #region program
import { createUIMessageStreamResponse, toUIMessageStream } from "ai";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MemorySessionStore } from "skillset";
import { type Chat, createChat } from "skillset/ai-sdk";

const MAX_CHATS = 2; // in memory; 1,000 or more in a real server
const store = new MemorySessionStore(); // or a store in a database, see below
const chats = new Map<string, Promise<Chat<Record<never, never>>>>(); // least recently used first

function chatOf(user: string) {
  const chat = chats.get(user) ?? openChat(user);
  chats.delete(user);
  chats.set(user, chat); // now the most recently used
  chat.catch(() => chats.delete(user)); // if the store failed, the next request tries again
  const [oldest] = chats.keys();
  if (chats.size > MAX_CHATS && oldest !== undefined) chats.delete(oldest);
  return chat;
}

const openChat = (user: string) =>
  createChat({
    skills,
    request: { model },
    maxSteps: 8, // requests to the model per message
    compact: { tokens: 50_000 }, // shortens longer requests
    session: { id: user, store, budget: { tokens: 20_000 }, limits: { toolTimeout: 10_000 } },
  });

const app = new Hono<{ Variables: { user: string; signal: AbortSignal } }>();
app.use((context, next) => {
  context.set("signal", context.req.raw.signal); // taken here, because bodyLimit may replace the request
  return next();
});
app.post("/chat", authenticate, bodyLimit({ maxSize: 16_000 }), async (context) => {
  const { text } = await context.req.json();
  const chat = await chatOf(context.get("user"));
  const { stream } = await chat.stream(String(text), { signal: context.get("signal") });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) });
});
// #endregion

const server = createAdaptorServer(app);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`;
function post(user: string, text: string, init: RequestInit = {}) {
  const headers = { "content-type": "application/json", "x-user": user };
  return fetch(url, { method: "POST", headers, body: JSON.stringify({ text }), ...init });
}
const textOf = async (response: Response) =>
  [...(await response.text()).matchAll(/"type":"text-delta".*?"delta":"(.*?)"/g)].map(([, delta]) => delta).join("");

assert.equal(await textOf(await post("ann", "Tea, please.")), "Three minutes.");
assert.equal(await textOf(await post("ann", "Thanks!")), "You are welcome.");

// A client that disconnects ends its run: the next message is answered, and the conversation has only that.
// Without a length of the body, bodyLimit replaces the request.
for (const body of ['{"text":"Tea, slowly."}', ReadableStream.from([Buffer.from('{"text":"Tea, slowly."}')])]) {
  const gone = new AbortController();
  const cut = await post("bob", "", { body, duplex: "half", signal: gone.signal } as RequestInit);
  gone.abort();
  await assert.rejects(cut.text());
}
assert.equal(await textOf(await post("bob", "Tea, please.")), "Three minutes.");
const { messages } = await chatOf("bob");
assert.deepEqual(messages[0], { role: "user", content: "Tea, please." });

// The third user replaces the least recently used one, whose active skills are in the store.
await textOf(await post("cleo", "Tea, please."));
assert.deepEqual([...chats.keys()], ["bob", "cleo"]);
assert.deepEqual((await chatOf("ann")).session.active, ["tea"]);
assert.equal((await post("ann", "x".repeat(20_000))).status, 413);
assert.deepEqual(scripted.faults, []);
server.close();
await scripted.close();
