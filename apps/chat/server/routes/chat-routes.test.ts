import { afterEach, expect, test } from "vitest";
import type { Chat, ChatPage } from "../../shared/api.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

test("chats are listed newest first, found by title and message, renamed and deleted", async () => {
  const chat = await openChat({ script: [{ say: "The capital is Reykjavík, 100% sure." }] });
  const [first, second] = [await chat.create(), await chat.create()];
  await chat.say(first, `What is   the capital of Iceland?\n${"And why? ".repeat(20)}`);
  const { chats: list } = await chat.get<ChatPage>("/api/chats");
  expect(list.map(({ id }) => id)).toEqual([first, second]);
  expect(list.map(({ title }) => title)).toEqual([
    expect.stringMatching(/^What is the capital of Iceland\? .*…$/),
    "New chat",
  ]);
  const find = async (query: string) =>
    (await chat.get<ChatPage>(`/api/chats?query=${encodeURIComponent(query)}`)).chats.map(({ id }) => id);
  expect(await find("reykjavík")).toEqual([first]);
  expect(await find("100% s")).toEqual([first]);
  expect(await find("%")).toEqual([first]);
  expect(await find("_")).toEqual([]);
  expect(await find("step-start")).toEqual([]);
  const renamed = await chat.call("PATCH", `/api/chats/${second}`, { title: "Holidays" });
  expect(await renamed.json()).toMatchObject({ title: "Holidays" });
  expect(await find("holi")).toEqual([second]);
  expect((await chat.call("DELETE", `/api/chats/${first}`)).status).toBe(204);
  expect((await chat.call("GET", `/api/chats/${first}`)).status).toBe(404);
  expect(await find("reykjavík")).toEqual([]);
});

test("a chat keeps the model it last used, and a new chat has the default", async () => {
  const chat = await openChat({ config: '[models]\ndefault = "offline"\n', script: [{ say: "Hi." }] });
  const id = await chat.create();
  expect(await chat.load(id)).toMatchObject({ modelId: "offline", messages: [], active: [], isAnswering: false });
  await chat.say(id, "Hello", { modelId: "scripted/plain" });
  expect(await chat.load(id)).toMatchObject({ modelId: "scripted/plain" } satisfies Partial<Chat>);
  expect((await chat.call("PATCH", `/api/chats/${id}`, { modelId: "nothing" })).status).toBe(404);
  expect((await chat.call("PATCH", `/api/chats/${id}`, { modelId: "offline" })).status).toBe(200);
});

test.each([
  [{ parts: [] }, "'message.parts': must not be empty."],
  [{ parts: [{ type: "text", text: "  " }] }, "'message.parts': must not be empty."],
  [
    { parts: [{ type: "file", url: "data:,x", mediaType: "text/plain" }] },
    "'message.parts.0.type': must be 'text' or 'data-attachment'.",
  ],
  [{ role: "assistant" }, "'message.role': must be 'user'."],
  [{ id: "../x" }, "'message.id': must be 1 to 100 letters, digits, '-' or '_'."],
])("a message with %j is refused with a one-line error", async (change, sentence) => {
  const chat = await openChat();
  const id = await chat.create();
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Hi" }], ...change };
  const response = await chat.call("POST", `/api/chats/${id}/turn`, { message, modelId: "offline" });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: { code: "body-invalid", message: sentence } });
  expect((await chat.load(id)).messages).toEqual([]);
});

test("an unknown chat, model and message id are refused before anything is stored", async () => {
  const chat = await openChat();
  const id = await chat.create();
  expect((await chat.ask("nothing", "Hi")).status).toBe(404);
  expect((await chat.ask(id, "Hi", { modelId: "nothing" })).status).toBe(404);
  expect((await chat.ask(id, "Hi", { replaceFrom: "nothing" })).status).toBe(404);
  expect((await chat.load(id)).messages).toEqual([]);
});

test("a refused message deletes nothing", async () => {
  const chat = await openChat({ script: [{ say: "One." }, { say: "Two." }] });
  const id = await chat.create();
  await chat.say(id, "First", { messageId: "a" });
  await chat.say(id, "Second", { messageId: "b" });
  expect((await chat.ask(id, "Third", { messageId: "a", replaceFrom: "b" })).status).toBe(409);
  expect((await chat.load(id)).messages).toHaveLength(4);
});

test("only characters that a database cannot store are left out", async () => {
  const chat = await openChat({ script: [{ say: "Fine \u0000 too." }] });
  const id = await chat.create();
  await chat.say(id, "A NUL \0, half a \ud83d and a whole 😀");
  const texts = (await chat.load(id)).messages.map(({ parts }) => parts.find(({ type }) => type === "text"));
  expect(texts).toMatchObject([{ text: "A NUL , half a \ufffd and a whole 😀" }, { text: "Fine  too." }]);
  expect((await chat.get<ChatPage>("/api/chats?query=%00whole")).chats).toHaveLength(1);
  expect((await chat.call("GET", "/api/chats/%00")).status).toBe(404);
  expect((await chat.call("PATCH", "/api/chats/%00", { title: "x" })).status).toBe(404);
});

test("deleting a chat during an answer stops the answer", async () => {
  const chat = await openChat({ script: [{ hang: true }] });
  const id = await chat.create();
  const asked = chat.ask(id, "Hello").then((response) => response.text());
  await expect.poll(() => chat.model.requests.length).toBe(1);
  expect((await chat.call("DELETE", `/api/chats/${id}`)).status).toBe(204);
  await asked;
  expect(await chat.get("/api/chats")).toEqual({ chats: [] });
});
