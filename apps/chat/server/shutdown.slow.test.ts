import { startScriptedModel } from "skillset/testing";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Chat, ChatSummary } from "../shared/api.ts";
import { createLog } from "./observe/log.ts";
import { type RunningChat, startChat } from "./start.ts";
import { fillDataFolder } from "./testing/memory-database.ts";

test("an answer that does not end in time is handed back as far as it came, stored and marked", async () => {
  const begin = { say: "Let me see.", call: "skills_activate", input: { name: "notes" } };
  const model = await startScriptedModel([begin, { hang: true }], { isSide: () => false });
  onTestFinished(() => model.close());
  const project = temporaryFolder({
    "config.toml": `[server]
port = 0
[database]
folder = "data"
[app.skills]
enabled = true
directories = ["./.skills"]
[[models.openai_compatible]]
name = "scripted"
base_url = "${model.url}/v1"
models = [{ id = "tools" }]
`,
    ".skills/notes/SKILL.md": skillMd("notes"),
  });
  await fillDataFolder(`${project}/data`);
  const start = (): Promise<RunningChat> =>
    startChat({ configFile: `${project}/config.toml`, environment: {}, log: createLog("silent"), webRoot: project });
  const first = await start();
  const post = (path: string, body: unknown = {}) =>
    fetch(new URL(path, first.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { id } = (await (await post("api/chats")).json()) as ChatSummary;
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Hello" }] };
  const response = await post(`api/chats/${id}/turn`, { message, modelId: "scripted/tools" });
  const read = response.text();
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(2);
  const closed = first.close();
  // The stream is ended in order, not broken off: the page has what it needs to show the answer as cut.
  const text = await read;
  expect(text).toContain("Let me see.");
  expect(text).toContain('"isCut":true');
  expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
  await closed;
  await expect(fetch(first.url)).rejects.toThrow();

  const second = await start();
  onTestFinished(() => second.close());
  const chat = (await (await fetch(new URL(`api/chats/${id}`, second.url))).json()) as Chat;
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ isCut: true });
  expect(chat.isAnswering).toBe(false);
}, 120_000);
