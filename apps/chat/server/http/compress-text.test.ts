import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { skillMd, writeFiles } from "../../../../test/temporary-folder.ts";
import { openChat } from "../testing/open-chat.ts";

const ACCEPT = { "accept-encoding": "gzip, br" };

test("long JSON is compressed for clients that accept it, and short JSON is not", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `skill-${at}`);
  const skills = Object.fromEntries(
    names.map((name) => [`.skills/${name}/SKILL.md`, skillMd(name, "Fills the list.")]),
  );
  const chat = await openChat({ files: skills });
  const plain = await chat.call("GET", "/api/skills");
  expect(plain.headers.get("content-encoding")).toBeNull();
  const compressed = await chat.call("GET", "/api/skills", undefined, ACCEPT);
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(compressed.headers.get("vary")).toContain("Accept-Encoding");
  const bytes = Buffer.from(await compressed.arrayBuffer());
  const text = gunzipSync(bytes).toString("utf8");
  expect(JSON.parse(text)).toEqual(await plain.json());
  expect(bytes.length).toBeLessThan(text.length / 3);
  expect((await chat.call("GET", "/api/chats", undefined, ACCEPT)).headers.get("content-encoding")).toBeNull();
});

test("event streams are never compressed, because events would be held back", async () => {
  const chat = await openChat({ script: [{ say: "Hi." }] });
  const { body, headers } = await chat.call("GET", "/api/events", undefined, ACCEPT);
  expect(headers.get("content-type")).toContain("text/event-stream");
  expect(headers.get("content-encoding")).toBeNull();
  await body?.cancel();
  const id = await chat.create();
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Hello" }] };
  const answer = await chat.call("POST", `/api/chats/${id}/turn`, { message, modelId: "scripted/tools" }, ACCEPT);
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toContain("Hi.");
});

test("files of the page are sent as they were compressed by the build", async () => {
  const chat = await openChat();
  writeFiles(chat.project, {
    "dist/index.html": "<title>Chat</title>",
    "dist/assets/a.js": "1",
    "dist/assets/a.js.br": "2",
  });
  const compressed = await chat.call("GET", "/assets/a.js", undefined, ACCEPT);
  expect(compressed.headers.get("content-encoding")).toBe("br");
  expect(compressed.headers.get("content-type")).toContain("javascript");
  expect(compressed.headers.get("cache-control")).toContain("immutable");
  expect(await compressed.text()).toBe("2");
  expect(await (await chat.call("GET", "/assets/a.js")).text()).toBe("1");
});
