import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "tea" } },
  { say: "Steep it for three minutes." },
  { say: "You are welcome." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
/** Replace it with your authentication. */
const userOf = (request: express.Request) => request.header("x-user") ?? "anyone";

// #region program
import { pipeUIMessageStreamToResponse, toUIMessageStream } from "ai";
import express from "express";
import { createSkillset, defineSkill } from "skillset";
import { type Chat, createChat } from "skillset/ai-sdk";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const skills = await createSkillset([tea]); // once; all users share it
const chats = new Map<string, Promise<Chat<Record<never, never>>>>();

function chatOf(user: string) {
  const chat = chats.get(user) ?? createChat({ skills, request: { model, instructions: "You are a waiter." } });
  chats.set(user, chat);
  return chat;
}

const app = express();
app.post("/chat", express.json(), async (request, response) => {
  const gone = new AbortController();
  response.once("close", () => gone.abort()); // a client that disconnects ends the run
  const chat = await chatOf(userOf(request));
  const { stream } = await chat.stream(String(request.body.text), { signal: gone.signal });
  await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) });
});
// #endregion

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`;
async function say(user: string, text: string): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-user": user },
    body: JSON.stringify({ text }),
  });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const deltas = (await response.text()).matchAll(/"type":"text-delta".*?"delta":"(.*?)"/g);
  return [...deltas].map(([, delta]) => delta).join("");
}

assert.equal(await say("ann", "How do I make tea?"), "Steep it for three minutes.");
assert.equal(await say("ann", "Thanks!"), "You are welcome.");
assert.equal(await say("bob", "Tea, please."), "Steep it for three minutes.");
const active = async (user: string) => (await chats.get(user))?.session.active;
assert.deepEqual([await active("ann"), await active("bob")], [["tea"], ["tea"]]);
assert.equal((await chats.get("ann"))?.messages.length, 6);
assert.equal((await chats.get("bob"))?.messages.length, 4);
assert.deepEqual(scripted.faults, []);
server.closeAllConnections();
server.close();
await scripted.close();
